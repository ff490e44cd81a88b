// Random trees: each is rejected as a query is, or every name in the result is bound, and D1 can run its SQL.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { ApiError } from '../../../src/errors'
import { printClickhouse } from '../../../src/hogql/clickhouse/print'
import { HogqlError } from '../../../src/hogql/error'
import { FUNCTIONS } from '../../../src/hogql/functions/catalogue'
import type { Expr, Query } from '../../../src/hogql/ir'
import type { Expression, Selection, SelectQuery } from '../../../src/hogql/parser/ast'
import { resolve } from '../../../src/hogql/resolve/resolve'
import { partsOf, queriesOf, sourcesOf } from '../../../src/hogql/ir-walk'
import { printSqlite } from '../../../src/hogql/sqlite/print'
import { columnTypeOf } from '../../../src/hogql/types'
import { plansOnD1 } from '../corpus/ask'
import { columnKeysOf } from '../../support/column-keys'

const nowhere = { start: null, end: null }

const SPECIAL = [
  'if',
  'multiIf',
  'and',
  'equals',
  'plus',
  'in',
  'tuple',
  'array',
  'cast',
  'arrayJoin',
  'now',
  'toIntervalDay',
  'sumIf',
]
const NAMES = [...FUNCTIONS.map(({ name }) => name), ...SPECIAL, 'nope']

const chains = fc.constantFrom(
  ['event'],
  ['e', 'timestamp'],
  ['properties', 'a'],
  ['person', 'properties', 'num'],
  ['p', 'properties'],
  ['alias'],
  ['x'],
  ['nope'],
  ['p', '*'],
)

const constants = fc.constantFrom(0, 1, 2.5, -3, '', 'a', '5', '2026-01-31', 'day', true, null)

const { expression } = fc.letrec<{ expression: Expression; query: Selection }>((tie) => {
  const inner = tie('expression')
  const some = fc.array(inner, { minLength: 1, maxLength: 3 })
  const record = <Node extends Expression['node']>(
    node: Node,
    fields: Record<string, fc.Arbitrary<unknown>>,
  ) =>
    fc.record({
      node: fc.constant(node),
      start: fc.constant(null),
      end: fc.constant(null),
      ...fields,
    }) as fc.Arbitrary<Expression>
  const leaf = fc.oneof(record('Constant', { value: constants }), record('Field', { chain: chains }))
  const pair = { left: inner, right: inner }
  return {
    expression: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      { arbitrary: leaf, weight: 6 },
      record('Call', { name: fc.constantFrom(...NAMES), args: some, distinct: fc.boolean() }),
      record('CompareOperation', {
        op: fc.constantFrom('==', '!=', '<', 'like', 'in', 'not in', '=~', 'in cohort'),
        ...pair,
      }),
      record('ArithmeticOperation', { op: fc.constantFrom('+', '-', '*', '/', '%'), ...pair }),
      record('And', { exprs: some }),
      record('Or', { exprs: some }),
      record('Not', { expr: inner }),
      record('BetweenExpr', { expr: inner, low: inner, high: inner, negated: fc.boolean() }),
      record('Tuple', { exprs: some }),
      record('Array', { exprs: some }),
      record('ArrayAccess', { array: inner, property: inner }),
      record('TypeCast', {
        expr: inner,
        type_name: fc.constantFrom('int', 'date', 'nullable(string)', 'foo'),
      }),
      record('Call', {
        name: fc.constantFrom('arrayMap', 'arrayFilter', 'arrayExists', 'lower'),
        args: fc.tuple(record('Lambda', { args: fc.constant(['x']), expr: inner }), inner),
      }),
      record('WindowFunction', {
        name: fc.constantFrom(...NAMES),
        args: fc.constant([]),
        exprs: some,
        over_expr: fc.record({ node: fc.constant('WindowExpr'), partition_by: some }),
      }),
      tie('query') as fc.Arbitrary<Expression>,
    ),
    query: inner.map((item): SelectQuery => selectOf([item])),
  }
})

const selectOf = (select: Expression[], more: Partial<SelectQuery> = {}): SelectQuery => ({
  node: 'SelectQuery',
  ...nowhere,
  select,
  select_from: {
    node: 'JoinExpr',
    ...nowhere,
    alias: 'e',
    table: { node: 'Field', ...nowhere, chain: ['events'] },
    next_join: {
      node: 'JoinExpr',
      ...nowhere,
      alias: 'p',
      join_type: 'LEFT JOIN',
      table: { node: 'Field', ...nowhere, chain: ['persons'] },
      constraint: {
        node: 'JoinConstraint',
        ...nowhere,
        constraint_type: 'ON',
        expr: { node: 'Constant', ...nowhere, value: true },
      },
    },
  },
  ...more,
})

const queries = fc
  .record({
    first: expression,
    second: expression,
    where: fc.option(expression, { freq: 1 }),
    group: fc.option(expression, { freq: 1 }),
    having: fc.option(expression, { freq: 1 }),
    order: fc.option(expression, { freq: 1 }),
    qualify: fc.option(expression, { freq: 1 }),
  })
  .map(({ first, second, where, group, having, order, qualify }) =>
    selectOf([{ node: 'Alias', ...nowhere, alias: 'alias', expr: first }, second], {
      where,
      having,
      qualify,
      group_by: group && [group],
      order_by: order && [{ node: 'OrderExpr', ...nowhere, expr: order, order: 'DESC' }],
    }),
  )

/** The columns that each source of a query and its subqueries has; names in it that nothing has are added to `unbound`. */
function check(query: Query, around: ReadonlyMap<number, ReadonlySet<string>>, unbound: string[]): void {
  const known = new Map(around)
  if (query.kind === 'select') {
    for (const source of sourcesOf(query)) {
      if (source.kind === 'table') {
        for (const key of source.columns) if (!columnKeysOf(source.table).has(key)) unbound.push(key)
        known.set(source.id, source.columns)
      }
      if (source.kind === 'query')
        known.set(source.id, new Set(source.query.items.map((_, index) => `c${index}`)))
      if (source.kind === 'elements') known.set(source.id, new Set(['value']))
    }
  }
  const visit = (expr: Expr): void => {
    if (expr.node === 'column' && !known.get(expr.source)?.has(expr.column))
      unbound.push(`s${expr.source}.${expr.column}`)
    expect(columnTypeOf(expr.type)).toBeTypeOf('string')
    for (const part of partsOf(expr)) visit(part)
    for (const inner of queriesOf(expr)) check(inner, known, unbound)
  }
  const [exprs, inside] = [partsOf(query), queriesOf(query)]
  for (const expr of exprs) visit(expr)
  for (const inner of inside) check(inner, known, unbound)
}

it('rejects a tree, or binds every name in it and prints what D1 prepares', async () => {
  const context = { sql: '', timezone: 'UTC', variables: {}, propertyTypes: () => undefined }
  let tried = 0
  let made = 0
  await fc.assert(
    fc.asyncProperty(queries, async (tree) => {
      tried += 1
      const unbound: string[] = []
      try {
        const found = resolve(tree, context)
        made++
        check(found.query, new Map(), unbound)
        printClickhouse(found, { timezone: 'UTC' })
        await plansOnD1(printSqlite(found, { timezone: 'UTC' }))
      } catch (error) {
        const isTooComplex = error instanceof ApiError && error.status === 400
        if (!isTooComplex && !(error instanceof HogqlError)) throw error
        expect(error.message).not.toBe('')
      }
      expect(unbound).toEqual([])
    }),
    { numRuns: 1_000 },
  )
  // Most are nonsense; enough are not.
  expect(made).toBeGreaterThan(tried / 100)
})
