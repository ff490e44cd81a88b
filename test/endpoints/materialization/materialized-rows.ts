// Keeps the rows of a query as a build does, in one statement, and reads them as a run does: what the two give is compared in tests.
import { env } from 'cloudflare:workers'
import { queryVariables } from '../../../drizzle'
import { bindable, parameterValues } from '../../../src/analytics/engine/parameter-values'
import { shardEngine } from '../../support/database/d1-engine'
import { compileMaterialization } from '../../../src/endpoints/materialization/compile-materialization'
import type {
  CompiledRows,
  CompiledMaterialization,
} from '../../../src/endpoints/materialization/compile-rows'
import {
  createTable,
  indexStatements,
  insertFrom,
  readingFrom,
} from '../../../src/endpoints/materialization/tables'
import type { BucketOverrides } from '../../../src/endpoints/materialization/analysis/lift-variables'
import { compileQuery } from '../../../src/endpoints/compile/compile-query'
import type { HogqlQuery, VariableType } from '../../../src/endpoints/query/query-types'
import { bindVariables } from '../../../src/endpoints/values/bind-variables'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { toStoredTimestamp } from '../../../src/timestamps'
import { database } from '../../support/tenant'

export interface Place {
  project: { id: number; timezone: string }
  now: Date
  /** Ids of the project's variables, by code name. */
  variables: ReadonlyMap<string, string>
}

/** Gives a project variables of these types. */
export async function withVariables(
  project: { id: number; timezone: string },
  now: Date,
  types: Readonly<Record<string, VariableType>>,
): Promise<Place> {
  const rows = Object.entries(types).map(([codeName, type]) => ({
    id: crypto.randomUUID(),
    projectId: project.id,
    name: codeName,
    codeName,
    type,
    createdAt: toStoredTimestamp(now),
  }))
  await database().insert(queryVariables).values(rows)
  return { project, now, variables: new Map(rows.map(({ codeName, id }) => [codeName, id])) }
}

/** A stored query over the variables that its text names. */
function queryOf({ variables }: Pick<Place, 'variables'>, sql: string): HogqlQuery {
  const named = [...variables].filter(([codeName]) => sql.includes(`{variables.${codeName}}`))
  return {
    kind: 'HogQLQuery',
    query: sql,
    filters: null,
    variables: Object.fromEntries(
      named.map(([codeName, id]) => [
        id,
        { variableId: id, code_name: codeName, value: null, isNull: false },
      ]),
    ),
  }
}

export const compiledOf = (
  place: Place,
  sql: string,
  overrides: BucketOverrides = null,
): Promise<CompiledMaterialization> =>
  compileMaterialization(
    { deps: { db: database() }, project: place.project, dialect: 'sqlite' },
    {
      query: queryOf(place, sql),
      name: 'kept',
      version: 1,
      bucketOverrides: overrides,
      optionalBreakdownProperties: [],
    },
  )

type Values = Readonly<Record<string, unknown>>

async function run(place: Place, query: CompiledQuery, values: Values): Promise<unknown[][]> {
  const { rows } = await shardEngine().run(query, {
    projectId: place.project.id,
    timezone: place.project.timezone,
    now: place.now,
    variables: bindVariables(query, new Map(Object.entries(values)), place.project.timezone),
    limit: query.page.ceiling ?? 50_000,
    offset: query.page.offset,
    queryId: null,
  })
  return rows
}

/** What a run of the query itself gives. */
export async function inlineRows(place: Place, sql: string, values: Values): Promise<unknown[][]> {
  const context = { deps: { db: database() }, project: place.project }
  const { compiled } = await compileQuery(context, queryOf(place, sql), null)
  const query = compiled.queries.sqlite
  if (!query || !('sql' in query)) throw new Error(query?.refusal)
  return run(place, query, values)
}

let tables = 0

/** Builds the table. Returns how a run reads it, and how many rows are kept. */
export async function keep(place: Place, { write, read, columns, indexed }: CompiledRows) {
  tables += 1
  const table = `mat_${'0'.repeat(24)}${place.project.id.toString(16).padStart(8, '0')}_${tables}`
  const values = parameterValues(write, {
    projectId: place.project.id,
    timezone: place.project.timezone,
    now: place.now,
    variables: new Map(),
    limit: 1_000_000,
    offset: 0,
    queryId: null,
  }).map(bindable)
  await env.EVENTS.prepare(createTable(table, columns.length)).run()
  await env.EVENTS.prepare(insertFrom(table, columns.length, write.sql, Infinity))
    .bind(...values)
    .run()
  for (const statement of indexStatements(table, indexed)) await env.EVENTS.prepare(statement).run()
  const kept = readingFrom(read, table)
  return {
    rows: (given: Values) => run(place, kept, given),
    count: async () => (await env.EVENTS.prepare(`SELECT count(*) AS n FROM "${table}"`).first<number>('n'))!,
    drop: () => env.EVENTS.prepare(`DROP TABLE "${table}"`).run(),
  }
}
