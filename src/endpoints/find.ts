// One endpoint of the caller's project, at one of its versions.
import { notFound, notFoundInWords } from '../errors'
import type { EndpointContext } from './context'
import { endpointNamed, type EndpointRow, selectEndpoints, selectIsThere, versionNumbered } from './rows'

/**
 * The endpoint with this name, at the given version or at its current one.
 * @throws 404 when the project has no such endpoint, whoever else may have it; 404 `{error}` when it has no such version.
 */
export async function findEndpoint(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version?: number,
): Promise<EndpointRow> {
  const named = endpointNamed(project.id, name)
  const [rows, found] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    selectIsThere(db, named),
  ])
  if (rows[0]) return rows[0]
  throw found.length > 0 && version !== undefined ? versionNotFound(version) : notFound()
}

/** 404 of an endpoint that is there and has no such version (reference/endpoints-api.md §2.3). */
export const versionNotFound = (version: number) => notFoundInWords(`Version ${version} not found`)
