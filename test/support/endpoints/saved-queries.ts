// Inserts saved queries as creating one would store them, with SQL that the test chooses.
import { eq } from 'drizzle-orm'
import { endpoints, endpointVersions, queryVariables } from '../../../drizzle'
import { createIds } from '../../../src/clock'
import { COMPILER_VERSION, type CompiledVersion } from '../../../src/endpoints/compile/compiled-version'
import type { EndpointQuery, QueryVariable, VariableType } from '../../../src/endpoints/query/query-types'
import type { CompiledQuery } from '../../../src/hogql/compiled'
import { INTEGER } from '../../../src/hogql/types'
import { toStoredTimestamp } from '../../../src/timestamps'
import { database, type Tenant } from '../tenant'

const ids = createIds()

/** A query that returns the integers from 1 to 5, as D1 runs it. */
export const numbers = (query: Partial<CompiledQuery> = {}): CompiledQuery => ({
  dialect: 'sqlite',
  sql: 'SELECT value AS c0 FROM json_each(?1) ORDER BY 1 LIMIT ?2 OFFSET ?3',
  parameters: [{ kind: 'literal', value: '[1,2,3,4,5]' }, { kind: 'limit' }, { kind: 'offset' }],
  columns: [{ name: 'number', type: INTEGER }],
  page: { ceiling: null, offset: 0, pageable: true },
  variables: [],
  ...query,
})

/** A HogQL query as it is stored. */
export const hogql = (
  query = 'SELECT number FROM numbers',
  variables: Record<string, QueryVariable> | null = null,
): EndpointQuery => ({ kind: 'HogQLQuery', query, variables, filters: null })

/** What a version stores of a compiled query. */
export const compiledVersion = (query: CompiledQuery, timezone = 'UTC'): CompiledVersion => ({
  compiler: COMPILER_VERSION,
  timezone,
  properties: [],
  variables: [],
  queries: { [query.dialect]: query },
})

export interface StoredVersion {
  query?: EndpointQuery
  compiled?: CompiledVersion | null
  fields?: Partial<typeof endpointVersions.$inferInsert>
}

/** Inserts another version of an endpoint, which becomes the current one. Returns its id. */
export async function storedVersion(
  tenant: Pick<Tenant, 'projectId' | 'clock'>,
  endpointId: string,
  version: number,
  { query = hogql(), compiled = compiledVersion(numbers()), fields = {} }: StoredVersion = {},
): Promise<string> {
  const now = tenant.clock.now()
  const id = ids.uuid(now)
  const db = database()
  await db.insert(endpointVersions).values({
    id,
    endpointId,
    projectId: tenant.projectId,
    version,
    query,
    compiled,
    columns: [],
    dataFreshnessSeconds: 900,
    optionalBreakdownProperties: [],
    createdAt: toStoredTimestamp(now),
    ...fields,
  })
  await db.update(endpoints).set({ currentVersion: version }).where(eq(endpoints.id, endpointId))
  return id
}

/** Inserts an endpoint with its first version. */
export async function storedEndpoint(
  tenant: Pick<Tenant, 'projectId' | 'clock'>,
  version: StoredVersion = {},
  fields: Partial<typeof endpoints.$inferInsert> = {},
): Promise<{ id: string; name: string; versionId: string }> {
  const now = tenant.clock.now()
  const id = ids.uuid(now)
  const name = `e-${ids.secret(6)}`
  await database()
    .insert(endpoints)
    .values({
      id,
      projectId: tenant.projectId,
      name,
      currentVersion: 1,
      createdAt: toStoredTimestamp(now),
      updatedAt: toStoredTimestamp(now),
      ...fields,
    })
  return { id, name: fields.name ?? name, versionId: await storedVersion(tenant, id, 1, version) }
}

/** Inserts a variable of the project. Returns it in the form of a query. */
export async function savedVariable(
  { projectId, clock }: Pick<Tenant, 'projectId' | 'clock'>,
  codeName: string,
  type: VariableType = 'String',
  defaultValue: unknown = null,
): Promise<QueryVariable> {
  const id = ids.opaqueUuid()
  await database()
    .insert(queryVariables)
    .values({
      id,
      projectId,
      name: codeName,
      codeName,
      type,
      defaultValue,
      createdAt: toStoredTimestamp(clock.now()),
    })
  return { variableId: id, code_name: codeName }
}
