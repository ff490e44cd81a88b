// Every modifier that the parser takes of a call, a window, a join, an ORDER BY, a LIMIT or a SELECT changes what both engines run, or is
// rejected: none is read and ignored.
import { describe, expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'

const ROWS = '(select number as x, number + 1 as y, toDate(now()) + number as day from numbers(3)) as t'

/** What both engines run, null for one that does not; the reason where both do not. */
async function statementsOf(sql: string): Promise<{ statements: (string | null)[] } | { refusal: string }> {
  try {
    const { queries } = await compileHogql(sql, {
      timezone: 'UTC',
      variables: {},
      propertyTypes: () => undefined,
    })
    return {
      statements: Object.values(queries).map((query) =>
        'sql' in query ? JSON.stringify([query.sql, query.parameters, query.page]) : null,
      ),
    }
  } catch (error) {
    if (error instanceof HogqlError) return { refusal: error.message }
    throw error
  }
}

/** A query with a modifier is another one for both engines, or the compiler rejects it. */
async function expectNotIgnored(plain: string, modified: string): Promise<void> {
  const [without, has] = [await statementsOf(plain), await statementsOf(modified)]
  if ('refusal' in without) throw new Error(`${plain}: ${without.refusal}`)
  if ('refusal' in has) {
    expect(has.refusal).not.toContain('undefined')
    return
  }
  for (const [engine, statement] of has.statements.entries()) {
    if (statement === null) continue
    expect({ modified, statement }).not.toEqual({ modified, statement: without.statements[engine] })
  }
}

const CALLS = [
  'count()',
  'count(x)',
  'sum(x)',
  'avg(x)',
  'min(x)',
  'uniq(x)',
  'countIf(x > 0)',
  'sumIf(x, y > 1)',
  'sumOrNull(x)',
  'groupArray(x)',
  'quantile(0.5)(x)',
  "groupConcat(x, ',')",
  'argMax(x, y)',
  'sumArray([x])',
  'sumForEach([x])',
  'uniqState(x)',
  'avgState(x)',
  'lower(toString(x))',
  'if(x > 1, x, y)',
  'isNull(x)',
  'row_number() over ()',
  'first_value(x) over (order by y)',
  'lag(x) over (order by y)',
  'sum(x) over (order by y)',
  'count() over ()',
  'quantile(0.5)(x) over ()',
]

/** Of a call's text: with its last pair of parentheses before OVER. */
const inCall = (change: (args: string) => string) => (call: string) =>
  call.replace(
    /\(([^()]*(?:\([^()]*\))?[^()]*)\)( over .*)?$/,
    (_, args: string, over = '') => `(${change(args)})${over}`,
  )
const afterCall = (words: string) => (call: string) => {
  const [head = '', over] = call.split(' over ')
  return `${head} ${words}${over === undefined ? '' : ` over ${over}`}`
}

/** DISTINCT does not change what is the same without it. */
const OF_DISTINCT_ANYWAY = new Set(['uniq(x)', 'min(x)', 'uniqState(x)', 'argMax(x, y)'])

const OF_CALLS: Readonly<Record<string, (call: string) => string>> = {
  DISTINCT: inCall((args) => `distinct ${args}`),
  'ORDER BY': inCall((args) => `${args} order by x`),
  FILTER: afterCall('filter (where x > 1)'),
  'WITHIN GROUP': afterCall('within group (order by x)'),
  'IGNORE NULLS': afterCall('ignore nulls'),
  'RESPECT NULLS': afterCall('respect nulls'),
  parameters: (call) => call.replace(/^(\w+)\(/, '$1(3)('),
  Distinct: (call) => call.replace(/^(\w+?)(If|Array|ForEach|State|OrNull)?\(/, '$1Distinct$2('),
  OrNull: (call) => call.replace(/^(\w+?)(If|Array|ForEach|State|OrNull)?\(/, '$1OrNull$2('),
}

describe('modifiers of calls', () => {
  it.each(Object.keys(OF_CALLS))('%s is computed or rejected', async (modifier) => {
    for (const call of CALLS) {
      if (/distinct/i.test(modifier) && OF_DISTINCT_ANYWAY.has(call)) continue
      const modified = OF_CALLS[modifier]!(call)
      // Once is as twice.
      if (modified === call || modified.includes('OrNullOrNull')) continue
      // A name of its own: the text of a call is the name of its column.
      const plain = await statementsOf(`select ${call} as value from ${ROWS}`)
      if ('refusal' in plain) continue
      await expectNotIgnored(
        `select ${call} as value from ${ROWS}`,
        `select ${modified} as value from ${ROWS}`,
      )
    }
  })
})

const FRAMES = ['rows', 'range', 'groups'].flatMap((unit) =>
  [
    '1 preceding',
    'between 1 preceding and 1 following',
    'between 2 preceding and 1 preceding',
    'between current row and unbounded following',
    'between unbounded preceding and 1 preceding',
    '1 preceding exclude current row',
  ].map((bounds) => `${unit} ${bounds}`),
)

describe('modifiers of windows', () => {
  it.each(FRAMES)('%s is computed or rejected', async (frame) => {
    for (const order of ['x', 'x desc', 'day', 'toDateTime(day)', 'toString(x)', 'x, y']) {
      const sql = (more: string) =>
        `select sum(x) over (partition by y order by ${order}${more}) as value from ${ROWS}`
      await expectNotIgnored(sql(''), sql(` ${frame}`))
    }
  })

  it.each(['day', 'toDateTime(day)'])('offsets of RANGE are distances of %s', async (order) => {
    const found = await statementsOf(
      `select sum(x) over (order by ${order} range between 6 preceding and current row) as value from ${ROWS}`,
    )
    const [sqlite = '', clickhouse = ''] = 'statements' in found ? found.statements : []
    expect(sqlite).toMatch(/ORDER BY .*unixepoch|ORDER BY .*julianday/)
    expect(clickhouse).toMatch(/ORDER BY toInt64\((?:dateDiff|toUnixTimestamp64Micro)\(/)
  })

  it.each([
    ['toDateTime(day)', 2147, 2148],
    ['day', 2_147_483_646, 2_147_483_647],
    ['x', 2_147_483_646, 2_147_483_647],
  ])('rejects offsets of RANGE by %s that ClickHouse does not take', async (order, last, next) => {
    const [within, beyond] = await Promise.all(
      [last, next].map((offset) =>
        statementsOf(`select sum(x) over (order by ${order} range ${offset} preceding) from ${ROWS}`),
      ),
    )
    expect(within).toEqual({ statements: [expect.any(String), expect.any(String)] })
    expect(beyond).toEqual({ statements: [expect.any(String), null] })
  })

  it.each([
    ['toString(x)', 'RANGE with an offset takes an ORDER BY of a number, date or datetime, not of a string'],
    ['x, y', 'RANGE with an offset takes an ORDER BY of one expression'],
    [
      'nullIf(x, 1)',
      'RANGE with an offset takes an ORDER BY that is never NULL: use ifNull(…) or assumeNotNull(…)',
    ],
  ])('rejects offsets of RANGE by %s', async (order, refusal) => {
    expect(
      await statementsOf(`select sum(x) over (order by ${order} range 1 preceding) from ${ROWS}`),
    ).toEqual({
      refusal,
    })
  })
})

const JOIN_WORDS = [
  'inner',
  'left',
  'right',
  'full',
  'outer',
  'cross',
  'any',
  'all',
  'asof',
  'semi',
  'anti',
  'natural',
  'global',
]

/** A join without them is an inner one. */
const OF_INNER = new Set(['inner', 'cross inner', 'inner cross'])

describe('modifiers of joins', () => {
  it.each(JOIN_WORDS)('%s is computed or rejected', async (word) => {
    const sql = (words: string) =>
      `select t.x as x, u.number as n from ${ROWS} ${words} join numbers(2) as u on u.number = t.x`
    for (const words of [word, ...JOIN_WORDS.map((other) => `${word} ${other}`)]) {
      if (OF_INNER.has(words) || words === 'inner inner') continue
      await expectNotIgnored(sql(''), sql(words))
      // Words that are one kind of join are as that kind, whatever comes first.
      const [first, second] = words.split(' ')
      const isOne = first === second || words.includes('outer')
      if (second && !isOne) expect(await statementsOf(sql(words))).toHaveProperty('refusal')
    }
  })

  it.each(['final', 'sample 0.5', 'sample 1/2 offset 1/2'])(
    '%s of rows that are no table is rejected',
    async (word) => {
      expect(await statementsOf(`select x from ${ROWS} ${word}`)).toHaveProperty('refusal')
    },
  )

  it('renames the column of numbers', async () => {
    expect(await statementsOf('select n from numbers(3) as t(n)')).toHaveProperty('statements')
    expect(await statementsOf('select number from numbers(3) as t(n)')).toHaveProperty('refusal')
  })
})

describe('modifiers of ORDER BY', () => {
  it.each(['desc', 'nulls first', 'desc nulls first', "collate 'en'", 'with fill', 'with fill step 2'])(
    '%s is computed or rejected',
    async (words) => {
      await expectNotIgnored(`select x from ${ROWS} order by x`, `select x from ${ROWS} order by x ${words}`)
    },
  )
})

const LIMITS = [
  'limit 3',
  'offset 2',
  'limit 5 offset 1',
  'limit 1, 5',
  'limit 1 by x',
  'limit 1 offset 1 by x',
  'limit 2 with ties',
  'limit 20%',
]

describe('LIMIT and OFFSET', () => {
  it.each(LIMITS)('%s is computed or rejected, alone and after another', async (first) => {
    const base = `select x from ${ROWS} order by x`
    await expectNotIgnored(base, `${base} ${first}`)
    for (const second of LIMITS) {
      const alone = [await statementsOf(`${base} ${first}`), await statementsOf(`${base} ${second}`)]
      for (const both of [`${base} ${first} ${second}`, `(${base} ${first}) ${second}`]) {
        const found = await statementsOf(both)
        if ('refusal' in found) continue
        // Neither replaces the other.
        for (const one of alone) expect({ both, found }).not.toEqual({ both, found: one })
      }
    }
  })

  it.each(LIMITS)('%s of a set operation is computed or rejected', async (words) => {
    const base = '(select 1 as x) union all (select 2)'
    await expectNotIgnored(base, `${base} ${words}`)
  })
})

const GROUPINGS = [
  'group by x',
  'group by all',
  'group by cube(x)',
  'group by rollup(x)',
  'group by grouping sets ((x), ())',
]
const OF_GROUPS = ['with cube', 'with rollup', 'with totals']

describe('modifiers of SELECT', () => {
  it.each(['distinct', 'distinct on (x)', 'top 2'])('%s is computed or rejected', async (word) => {
    await expectNotIgnored(`select x from ${ROWS}`, `select ${word} x from ${ROWS}`)
  })

  it.each([
    'prewhere x > 1',
    'where x > 1',
    'having x > 1',
    'qualify x > 1',
    'array join [1, 2] as z',
    'left array join [1, 2] as z',
  ])('%s is computed or rejected', async (clause) => {
    await expectNotIgnored(`select x from ${ROWS}`, `select x from ${ROWS} ${clause}`)
  })

  it.each(GROUPINGS)('modifiers after %s are computed or rejected', async (grouping) => {
    const base = `select x, count() as n from ${ROWS} ${grouping}`
    for (const word of OF_GROUPS) {
      await expectNotIgnored(base, `${base} ${word}`)
      for (const other of OF_GROUPS) {
        expect(await statementsOf(`${base} ${word} ${other}`)).toHaveProperty('refusal')
      }
    }
  })

  it('rejects modifiers in COLUMNS', async () => {
    for (const columns of ['distinct x', 'x order by x']) {
      expect(await statementsOf(`select columns(${columns}) from ${ROWS}`)).toHaveProperty('refusal')
    }
  })
})
