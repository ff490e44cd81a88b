// One endpoint of the caller's project at one version.
import { notFound, notFoundErrorText } from '../errors'
import type { EndpointContext } from './context'
import { endpointNamed, type EndpointRow, selectEndpoints, sourceSql, versionNumbered } from './endpoint-rows'
import { existsIn } from '../storage/count'
import { sql } from 'drizzle-orm'
import { endpoints, endpointVersions, queryVariables } from '../../drizzle'
import type { VariableType } from './query/query-types'

/** @throws 404 when the project has no such endpoint; 404 `{error}` when it has no such version */
export async function findEndpoint(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version?: number,
): Promise<EndpointRow> {
  const named = endpointNamed(project.id, name)
  const [rows, found] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    existsIn(db, endpoints, named),
  ])
  return requireRow(rows, found, version)
}

/** @throws 404 `{error}` of the version when the endpoint exists */
function requireRow([row]: readonly EndpointRow[], found: readonly unknown[], version?: number): EndpointRow {
  if (row) return row
  throw found.length > 0 && version !== undefined
    ? notFoundErrorText(`Version ${version} not found`)
    : notFound()
}

export interface DescribedEndpoint {
  row: EndpointRow
  /** Types by code name, of the query's variables that still exist. */
  variableTypes: ReadonlyMap<string, VariableType>
}

/** @throws 404 as `findEndpoint` does */
export async function describeEndpoint(
  { deps: { db }, project }: Pick<EndpointContext, 'deps'> & { project: { id: number } },
  name: string,
  version?: number,
): Promise<DescribedEndpoint> {
  const named = endpointNamed(project.id, name)
  const numbered = versionNumbered(version)
  const [rows, found, variables] = await db.batch([
    selectEndpoints(db, named, numbered),
    existsIn(db, endpoints, named),
    db
      .select({
        codeName: sql<string>`v.value ->> 'code_name'`.as('code_name'),
        type: sql<VariableType>`query_variables.type`.as('variable_type'),
      })
      .from(
        // CROSS JOIN fixes the join order.
        sql`${endpoints} CROSS JOIN ${endpointVersions} ON ${endpointVersions.endpointId} = ${endpoints.id} AND ${numbered}
          CROSS JOIN json_each(${sourceSql}, '$.variables') v ON v.type = 'object'
          CROSS JOIN ${queryVariables} ON ${queryVariables.id} = lower(v.key) AND +${queryVariables.projectId} = ${endpoints.projectId}`,
      )
      .where(named),
  ])
  return {
    row: requireRow(rows, found, version),
    variableTypes: new Map(variables.map(({ codeName, type }) => [codeName, type])),
  }
}
