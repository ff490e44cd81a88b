// Computes the tables that a query on D1 looks up: results of functions that SQLite does not have, for the texts that the query reads.
import { invalid } from '../../errors'
import { allParameters, type CompiledQuery, type ComputedTables, type Statement } from '../../hogql/compiled'
import type { Computed } from '../../hogql/computed/compute'
import { MAX_COMPUTED_BYTES, MAX_COMPUTED_TEXTS, ComputationBudget } from '../../hogql/computed/limits'
import { HogqlError } from '../../hogql/error'
import { type RequireAffordable, type RunStatements, valuesOf } from './estimate'
import { queryError } from './limits'
import type { BoundValue, Run } from './query-engine'

/**
 * Returns the run with the results that the query looks up. An event that arrives between these statements and the query has no results.
 * @param requireAffordable is called before each statement, and before the query; null for a query whose cost is known to be small
 * @throws ApiError 400 `too_many_values` for too many texts, `query_too_large` past the other bounds of `computed/limits.ts`,
 * `invalid_regex` for a pattern that is not valid
 */
export async function withComputedTables(
  query: CompiledQuery,
  run: Run,
  runStatements: RunStatements,
  requireAffordable: RequireAffordable | null,
): Promise<Run> {
  const { computed } = query
  const tables = computed && (await computeTables(query, computed, run, runStatements, requireAffordable))
  const known = tables ? { ...run, tables } : run
  await requireAffordable?.(computed?.texts.length ?? 0, known)
  return known
}

async function computeTables(
  query: CompiledQuery,
  computed: ComputedTables,
  run: Run,
  runStatements: RunStatements,
  requireAffordable: RequireAffordable | null,
): Promise<string[]> {
  const { compute } = await import('../../hogql/computed/compute')
  const tables: string[] = []
  const budget = new ComputationBudget()
  for (const [index, statement] of computed.texts.entries()) {
    const known = { ...run, tables }
    await requireAffordable?.(index, known)
    const fns = computed.tables.flatMap(({ fn, texts }) => (texts === index ? [fn] : []))
    const texts = await readTexts(statement, query, known, fns, runStatements)
    for (const [place, table] of computed.tables.entries()) {
      if (table.texts !== index) continue
      try {
        const results = compute(table.fn, constantsOf(table, query, run), texts, budget)
        const json = serialize(table, texts, results)
        budget.keep(table.fn, json.length)
        tables[place] = json
      } catch (error) {
        throw error instanceof HogqlError ? failureOf(error) : error
      }
    }
  }
  return tables
}

const failureOf = ({ code, message }: HogqlError) =>
  invalid(null, message, code === 'query_too_large' ? code : 'invalid_regex')

async function readTexts(
  statement: Statement,
  query: CompiledQuery,
  run: Run,
  fns: readonly string[],
  runStatements: RunStatements,
): Promise<string[]> {
  const [found = []] = await runStatements([
    { sql: withinBytes(statement.sql), values: valuesOf(statement, query, run) },
  ])
  const texts = found.flatMap(([text]) => (text === null ? [] : [String(text)]))
  if (
    texts.length > MAX_COMPUTED_TEXTS ||
    texts.reduce((sum, text) => sum + text.length, 0) > MAX_COMPUTED_BYTES
  )
    throw tooManyValues(fns)
  return texts
}

/** SQL of the texts up to the one that exceeds the bytes, which is cut so that it still does. */
const withinBytes = (sql: string): string =>
  `SELECT c0 FROM (SELECT substr(c0, 1, ${MAX_COMPUTED_BYTES + 1}) AS c0, sum(octet_length(c0)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before FROM (${sql})) WHERE ifnull(before, 0) <= ${MAX_COMPUTED_BYTES}`

const tooManyValues = (fns: readonly string[]) =>
  queryError(
    'too_many_values',
    `This query calls ${fns.map((fn) => `'${fn}'`).join(', ')} with more than ${MAX_COMPUTED_TEXTS.toLocaleString('en')} different values, or ${MAX_COMPUTED_BYTES / 1024 ** 2} MB of them, which is too much for the built-in database. Narrow its dates or other conditions, or connect ClickHouse.`,
  )()

type Table = ComputedTables['tables'][number]

function constantsOf({ constants }: Table, query: CompiledQuery, run: Run): Exclude<BoundValue, undefined>[] {
  const places = new Map(allParameters(query).map((parameter, place) => [JSON.stringify(parameter), place]))
  return constants.map((constant) =>
    constant.kind === 'constant'
      ? constant.value
      : (run.variables.get(places.get(JSON.stringify(constant)) ?? -1) ?? null),
  )
}

/** Returns JSON of the texts for which a condition holds, or of pairs of a text and its result. */
function serialize(
  { isCondition, fn }: Table,
  texts: readonly string[],
  results: readonly (Computed | null)[],
): string {
  // NULL IN an empty list is not NULL. A number, which no text equals, keeps the list from being empty. A text IN (NULL) is NULL.
  const table = isCondition
    ? [results.includes(null) ? null : 0, ...texts.filter((_, index) => results[index] === 1)]
    : texts.map((text, index) => [text, results[index]])
  const json = JSON.stringify(table)
  if (json.length > 2 * MAX_COMPUTED_BYTES * 0.9) throw tooManyValues([fn])
  return json
}
