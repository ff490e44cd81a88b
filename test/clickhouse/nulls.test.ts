// NULL in each argument of each function of a row, also of those that are written with others, beside the engine's own function of that name: whether the value is NULL, and whether the
// compiled column says that it may be.
import { beforeAll, expect, it } from 'vitest'
import { ApiError } from '../../src/errors'
import { compileHogql } from '../../src/hogql/compile'
import { HogqlError } from '../../src/hogql/error'
import { FUNCTIONS } from '../../src/hogql/functions/catalogue'
import type { SelectQuery } from '../../src/hogql/parser/ast'
import { parseQuery } from '../../src/hogql/parser/parse'
import { AGGREGATE_MACROS } from '../../src/hogql/resolve/expressions/macros/aggregates'
import { MACROS } from '../../src/hogql/resolve/expressions/macros/macros'
import { CALLS } from '../hogql/functions/cases'
import { compileFor, run } from './support/ask'
import { makeWarehouse, type Warehouse } from './support/warehouse'

/** No project has this number: nothing of any is read. */
const NOWHERE = 0

/** Functions whose NULL differs from that of the engine's function, with the reason. */
const DIFFERENT: Readonly<Record<string, string>> = {
  concat: 'PostHog prints each argument that is NULL as an empty text',
}

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await makeWarehouse('nulls')
})

const SCALARS = new Set(
  [
    ...FUNCTIONS.filter(({ kind }) => kind === 'scalar').flatMap(({ name, aliases = [] }) => [
      name,
      ...aliases,
    ]),
    ...MACROS.filter((each) => !AGGREGATE_MACROS.includes(each)).flatMap(({ names }) => names),
  ].map((name) => name.toLowerCase()),
)

/** NaN is no NULL, and equals no NaN: `nullIf(x, x)` is not NULL. */
const { NOT_A_NUMBER: _, ...OTHER_CALLS } = CALLS
const CASES = Object.values(OTHER_CALLS).flat()

/** Of these nothing is NULL in ClickHouse, or only an argument of the call. */
const NEVER_NULL = new Set(['Lambda', 'Array', 'Tuple', 'Dict'])

interface NullCall {
  name: string
  call: string
}

/** Each function with each number of arguments that a case has, and each of these NULL in turn. */
function callsWithNull(): NullCall[] {
  const calls = new Map<string, NullCall>()
  for (const [expression, , timezone] of CASES) {
    if (timezone !== undefined || /nullIf/i.test(expression)) continue
    const sql = `SELECT ${expression}`
    const [item] = (parseQuery(sql) as SelectQuery).select
    if (item?.node !== 'Call' || !SCALARS.has(item.name.toLowerCase())) continue
    if (!expression.startsWith(`${item.name}(`) || !sql.endsWith(')')) continue
    const args = item.args.map(({ start, end }) => sql.slice(start!, end!))
    for (const place of args.keys()) {
      const key = `${item.name}/${args.length}/${place}`
      if (calls.has(key) || NEVER_NULL.has(item.args[place]!.node)) continue
      const written = args.map((each, at) => (at === place ? `nullIf(${each}, ${each})` : each))
      calls.set(key, { name: item.name, call: `${item.name}(${written.join(', ')})` })
    }
  }
  return [...calls.values()]
}

interface Nullness {
  isNull: boolean
  mayBeNull: boolean
}

/** Null where our compiler or the engine rejects it, as ClickHouse does for a size of NULL. */
async function ours(call: string): Promise<Nullness | null> {
  const question = { sql: `SELECT ${call}, isNull(${call})` }
  try {
    const compiled = await compileFor(question)
    const [[value, isNull] = []] = await run(warehouse.server, NOWHERE, compiled, question)
    const { columns } = await compileHogql(question.sql, {
      timezone: 'UTC',
      variables: {},
      propertyTypes: () => undefined,
    })
    // A column that is not NULL beside a condition that says so would be two answers.
    expect([call, isNull]).toEqual([call, value === null ? 1 : 0])
    return { isNull: value === null, mayBeNull: columns[0]!.type.nullable }
  } catch (error) {
    if (error instanceof HogqlError || (error instanceof ApiError && error.status === 400)) return null
    throw error
  }
}

/** Null for what ClickHouse has no function for, or one of other arguments. */
async function engines(call: string): Promise<Nullness | null> {
  try {
    const [[type, isNull] = []] = await warehouse.rows(`SELECT toTypeName(${call}), isNull(${call})`)
    return { isNull: isNull === 1, mayBeNull: String(type).includes('Nullable(') }
  } catch {
    return null
  }
}

it('is NULL where ClickHouse has it, in values and in types of columns', { timeout: 600_000 }, async () => {
  const found: unknown[] = []
  let compared = 0
  for (const { name, call } of callsWithNull()) {
    if (Object.hasOwn(DIFFERENT, name)) continue
    const [own, theirs] = [await ours(call), await engines(call)]
    if (!own) continue
    if (own.isNull && !own.mayBeNull) found.push({ call, own })
    if (!theirs) continue
    compared += 1
    if (own.isNull !== theirs.isNull) found.push({ call, own, theirs })
  }
  expect(found).toEqual([])
  // What is rejected on one side is not compared.
  expect(compared).toBeGreaterThan(250)
})
