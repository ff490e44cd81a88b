// How a version is materialized: the query whose rows are kept, and the one that reads them, ready to be run.
import type { Deps } from '../../deps'
import { ApiError } from '../../errors'
import type { CompiledQuery, Dialect } from '../../hogql/compiled'
import type { Type } from '../../hogql/types'
import { prepareText, prepareTree, type PreparedText, type TextWorld } from '../compile-text'
import { insightText } from '../insights'
import { breakdownsOf, chosenCondition } from '../insights/breakdown'
import type { BreakdownFilter } from '../insights/shape'
import { breakdownPropertiesOf } from '../query/breakdowns'
import type { EndpointQuery, HogqlQuery, InsightQuery } from '../query/shape'
import { readWorldOf } from './world'
import { check, type Subject } from './analysis/rules'
import type { BucketOverrides } from './analysis/shape'
import { previewOf, type Preview } from './analysis/preview'

export interface MaterializationPlan {
  /** Gives the rows to keep: the query's own columns, and behind them one for each variable. */
  write: CompiledQuery
  /** Reads them from the table that stands in it as `STORED_TABLE` of `hogql/sqlite/stored-table.ts`. */
  read: CompiledQuery
  /** Of the kept table, by place. */
  columns: { name: string; type: Type }[]
  /** Places of the columns to index, those that are compared by equality first. */
  indexed: number[]
  /** What a run has to give a value for. */
  required: string[]
  /** Whether the query itself has to be run where no row is kept for the values of a run. */
  inlineWhenEmpty: boolean
}

export type Planned = { reason: string } | { reason: null; plan: MaterializationPlan; preview: Preview }

interface Materializable {
  query: EndpointQuery
  /** Of the endpoint. */
  name: string
  version: number
  bucketOverrides: BucketOverrides
  optionalBreakdownProperties: readonly string[]
}

interface Place {
  deps: Pick<Deps, 'db'>
  project: { id: number; timezone: string }
  /** Of the engine that has the events. */
  dialect: Dialect
  /** What the query has to know of the project, where that was read already. */
  world?: TextWorld
}

/** The plan of a version, or why there is none. Whatever in a query does not compile is such a reason. */
export async function planMaterialization(place: Place, subject: Materializable): Promise<Planned> {
  try {
    return subject.query.kind === 'HogQLQuery'
      ? await planHogql(place, subject, subject.query as HogqlQuery)
      : await planInsight(place, subject, subject.query as InsightQuery)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { reason: error.detail }
    throw error
  }
}

/** What the kept rows are called in the texts that read them. */
const tableOf = ({ name, version }: Materializable) => `${name}_v${version}`

async function planHogql(place: Place, subject: Materializable, query: HogqlQuery): Promise<Planned> {
  const { timezone } = place.project
  const source = { sql: query.query, timezone, filters: query.filters }
  const original = await prepareText(source)
  const world = place.world ?? (await readWorldOf(place, original, query.variables))
  const { columns } = original.compile(world)
  const checked = check({
    query,
    overrides: subject.bucketOverrides,
    tree: original.tree,
    columns: columns.map(({ name }) => name),
    table: tableOf(subject),
  })
  if (checked.reason !== null) return checked
  const { write, read, variables } = checked.subject
  const writing = await prepareTree(source, write!)
  const { kept, queries } = writing.compile(world)
  const reading = await prepareTree(
    { sql: '', timezone, stored: { name: tableOf(subject), columns: kept } },
    read!.tree,
  )
  // Where a variable is called what its column is, the column is kept twice, and the first one is read.
  const placeOf = (codeName: string) => kept.findIndex(({ name }) => name === codeName)
  const isEquality = (codeName: string) =>
    variables
      .find((each) => each.codeName === codeName)!
      .comparisons.every(({ operator }) => operator === '==')
  const names = variables.map(({ codeName }) => codeName)
  return planned(checked.subject, subject.name, {
    write: runnable(queries, place.dialect),
    read: runnable(reading.compile(world).queries, 'sqlite'),
    columns: kept.map(({ name, type }) => ({ name, type })),
    indexed: [...names.filter(isEquality), ...names.filter((name) => !isEquality(name))].map(placeOf),
    required: names,
    inlineWhenEmpty: read!.inlineWhenEmpty,
  })
}

async function planInsight(place: Place, subject: Materializable, query: InsightQuery): Promise<Planned> {
  const { timezone } = place.project
  const table = tableOf(subject)
  const checked = check({ query, overrides: subject.bucketOverrides, tree: null, columns: [], table })
  if (checked.reason !== null) return checked
  const { sql, variables, fragments } = insightText(query)
  const writing = await prepareText({ sql, timezone, fragments })
  const world = place.world ?? (await readWorldOf(place, writing, null, variables))
  const { kept, queries } = writing.compile(world)
  const chosen = breakdownsOf(query.breakdownFilter as BreakdownFilter | null).map(({ property }, index) => ({
    property,
    expression: `b${index}`,
  }))
  const condition = chosenCondition(chosen)
  const readSql = `SELECT ${kept.map(({ name }) => name).join(', ')} FROM \`${table}\`${condition ? ` WHERE ${condition}` : ''}`
  const reading = await prepareText({ sql: readSql, timezone, stored: { name: table, columns: kept } })
  const optional = new Set(subject.optionalBreakdownProperties)
  return {
    reason: null,
    plan: {
      write: runnable(queries, place.dialect),
      read: runnable(reading.compile(world).queries, 'sqlite'),
      columns: kept.map(({ name, type }) => ({ name, type })),
      indexed: chosen.map(({ expression }) => kept.findIndex(({ name }) => name === expression)),
      required: breakdownPropertiesOf(query).filter((property) => !optional.has(property)),
      inlineWhenEmpty: false,
    },
    preview: {
      transformed_query: sql,
      execution_query: readSql,
      display_execution_query: readSql.replace(`\`${table}\``, `\`${subject.name}\``),
      range_pairs: [],
      aggregates: [],
    },
  }
}

const planned = (subject: Subject, name: string, plan: MaterializationPlan): Planned => ({
  reason: null,
  plan,
  preview: previewOf(subject, name),
})

function runnable(queries: ReturnType<PreparedText['compile']>['queries'], dialect: Dialect): CompiledQuery {
  const query = queries[dialect]
  if (query && 'sql' in query) return query
  throw new ApiError({
    status: 400,
    type: 'validation_error',
    code: 'invalid_input',
    detail: query?.refusal ?? 'This query cannot be run by the database of this deployment.',
  })
}
