// One endpoint of the caller's project at one version.
import { notFound, notFoundErrorText } from '../errors'
import type { EndpointContext } from './context'
import { endpointNamed, type EndpointRow, selectEndpoints, versionNumbered } from './endpoint-rows'
import { existsIn } from '../storage/count'
import { endpoints } from '../../drizzle'
import type { VariableType } from './query/query-types'
import { sourceOf } from './query/source-query'
import { selectSavedVariables } from './variables/read-variables'

/** @throws 404 when the project has no such endpoint; 404 `{error}` when it has no such version */
export async function findEndpoint(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version?: number,
): Promise<EndpointRow> {
  const named = endpointNamed(project.id, name)
  const [[row], found] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    existsIn(db, endpoints, named),
  ])
  if (row) return row
  throw found.length > 0 && version !== undefined
    ? notFoundErrorText(`Version ${version} not found`)
    : notFound()
}

export interface DescribedEndpoint {
  row: EndpointRow
  /** Types of the query's variables by code name. The type is undefined for a variable that no longer exists. */
  variableTypes: ReadonlyMap<string, VariableType | undefined>
}

/** It takes one round trip, and another one for variables. @throws 404 as `findEndpoint` does */
export async function describeEndpoint(
  context: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version?: number,
): Promise<DescribedEndpoint> {
  const row = await findEndpoint(context, name, version)
  const query = sourceOf(row.query)
  const variables = Object.entries((query.kind === 'HogQLQuery' && query.variables) || {})
  if (variables.length === 0) return { row, variableTypes: new Map() }
  const ids = variables.map(([id]) => id.toLowerCase())
  const saved = await selectSavedVariables(context.deps.db, context.project.id, { ids, codeNames: [] })
  const types = new Map(saved.map(({ id, type }) => [id, type]))
  const variableTypes = variables.map(
    ([id, { code_name: codeName }]) => [codeName, types.get(id.toLowerCase())] as const,
  )
  return { row, variableTypes: new Map(variableTypes) }
}
