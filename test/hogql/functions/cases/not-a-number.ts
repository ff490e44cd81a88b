// NaN, which is NULL in SQLite: conditions and choices decide by it as ClickHouse does, whatever gives it.
import type { CallCase, QueryCase } from './case'

/** Expressions of no row that are NaN. */
const SOURCES = [
  '(0 / 0)',
  '(-(0 / 0))',
  '(0 / 0 + 1)',
  '(100 * 0 / 0)',
  'sqrt(-1)',
  'log(-1)',
  'pow(-1, 0.5)',
  'acos(2)',
  'round(0 / 0, 1)',
  'abs(0 / 0)',
  'tuple(0 / 0).1',
  'if(1 > 2, 1, 0 / 0)',
] as const

/** What each of them gives. */
const DECISIONS: readonly (readonly [of: (nan: string) => string, value: unknown])[] = [
  [(x) => `${x} = 1`, 0],
  [(x) => `1 = ${x}`, 0],
  [(x) => `${x} != 1`, 1],
  [(x) => `${x} > 0`, 0],
  [(x) => `not (${x} = 1)`, 1],
  [(x) => `not (${x} > 0)`, 1],
  [(x) => `${x} = ${x}`, 0],
  [(x) => `${x} != ${x}`, 1],
  [(x) => `${x} = nullIf(1, 1)`, 0],
  [(x) => `${x} != nullIf(1, 1)`, 1],
  [(x) => `${x} between 0 and 50`, 0],
  [(x) => `not (${x} between 0 and 50)`, 1],
  [(x) => `${x} in (1, NULL)`, 0],
  [(x) => `${x} not in (1, 2)`, 1],
  [(x) => `${x} is distinct from 1`, 1],
  [(x) => `(${x}, 1) = (1, 1)`, 0],
  [(x) => `(${x}, 1) != (1, 1)`, 1],
  [(x) => `not ((${x}, 1) < (1, 1))`, 1],
  [(x) => `${x} is null`, 0],
  [(x) => `isNotNull(${x})`, 1],
  [(x) => `isZeroOrNull(${x})`, 0],
  [(x) => `coalesce(${x}, 5)`, null],
  [(x) => `ifNull(${x}, 5)`, null],
  [(x) => `if(${x}, 'yes', 'no')`, 'yes'],
  [(x) => `if(not (${x} < 1), 'yes', 'no')`, 'yes'],
  [(x) => `multiIf(${x} = 1, 'one', not (${x} > 1), 'less', 'more')`, 'less'],
  [(x) => `case ${x} when 1 then 'one' else 'other' end`, 'other'],
  [(x) => `not ${x}`, 0],
  [(x) => `${x} and 1`, 1],
  [(x) => `${x} or 0`, 1],
  [(x) => `xor(${x}, 1)`, 0],
  [(x) => `greatest(${x}, 3)`, 3],
  [(x) => `greatest(3, ${x})`, null],
  [(x) => `greatest(1, ${x}, 3)`, 3],
  [(x) => `least(${x}, 3)`, 3],
  [(x) => `least(1, ${x}, 3)`, 1],
  [(x) => `max2(${x}, 3)`, 3],
  [(x) => `min2(3, ${x})`, null],
  [(x) => `max2(nullIf(1, 1), ${x})`, null],
  [(x) => `greatest(nullIf(1, 1), ${x}, 3)`, 3],
  [(x) => `arrayCount(e -> e != 1, [${x}])`, 1],
  [(x) => `arrayAll(e -> e > 1, [${x}])`, 0],
]

export const NOT_A_NUMBER: readonly CallCase[] = SOURCES.flatMap((source) =>
  DECISIONS.map(([of, value]): CallCase => [of(source), value]),
)

const ROWS = '(select arrayJoin([0, 1, 4]) as o)'

/** Aggregates of no rows, which are NaN. */
const OF_NOTHING = [
  'avg(o)',
  'avgWeighted(o, o)',
  'quantile(0.5)(o)',
  'median(o)',
  'stddevPop(o)',
  'varSamp(o)',
  'corr(o, o)',
  'skewPop(o)',
  'sum(o) / count()',
  'countIf(o = 1) / countIf(o = 2)',
]

export const NOT_A_NUMBER_ROWS: readonly QueryCase[] = [
  ...OF_NOTHING.map((sql): QueryCase => ({
    sql: `select ${sql} as p, p = 1, p != 1, not (p > 0), p is null, greatest(p, 3) from ${ROWS} where o > 9`,
    rows: [[null, 0, 1, 1, 0, 3]],
  })),
  {
    sql: `select o from ${ROWS} where o / o != 1`,
    rows: [[0]],
  },
  {
    sql: `select o from ${ROWS} where not (o / o = 1)`,
    rows: [[0]],
  },
  {
    sql: `select countIf(o / o), countIf(o / o != 1), sumIf(o + 1, not (o / o > 0)) from ${ROWS}`,
    rows: [[3, 1, 1]],
  },
  {
    sql: `select o / o = 1 as isFull, count() from ${ROWS} group by isFull order by isFull`,
    rows: [
      [0, 1],
      [1, 2],
    ],
  },
  {
    sql: `select o from ${ROWS} group by o having not (avgIf(o, o > 1) > 1) order by o`,
    rows: [[0], [1]],
  },
  {
    sql: `select a.o, b.o from ${ROWS} as a join ${ROWS} as b on a.o = b.o and a.o / b.o != 1`,
    rows: [[0, 0]],
  },
  {
    sql: `select o from ${ROWS} qualify not (avg(o) over (order by o rows between 2 preceding and 1 preceding) > 0) order by o`,
    rows: [[0], [1]],
  },
  {
    sql: `select argMax(o, if(o = 4, 0 / 0, o)), argMin(o, if(o = 0, 0 / 0, o)), argMin(o, if(o = 4, 0 / 0, -o)) from ${ROWS}`,
    rows: [[1, 1, 1]],
  },
  {
    sql: `select argMax(o + 1, o / o), argMin(toString(o), o / o), argMax(o / o, o) from ${ROWS} where o = 0`,
    rows: [[1, '0', null]],
  },
  {
    sql: `select max(o / o), min(o / o), any(o / o), sum(o / o), count(o / o) from ${ROWS} where o = 0`,
    rows: [[null, null, null, null, 1]],
  },
  {
    sql: `select max(o / o), min(o / o), any(o / o), sum(o / o), count(o / o), argMax(o / o, o) from ${ROWS} where o > 9`,
    rows: [[0, 0, 0, 0, 0, 0]],
  },
]
