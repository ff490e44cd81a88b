// What an update is decided on, read in one batch.
import { invalid, notFound } from '../../errors'
import type { EndpointContext } from '../context'
import { type Attached, selectAttached } from '../materialization/lifecycle-statements'
import type { Draft, DraftWorld } from '../compile/query-compilation'
import {
  endpointNamed,
  type EndpointRow,
  selectEndpoints,
  selectIsThere,
  versionNumbered,
} from '../endpoint-rows'
import { selectWorld, worldFrom } from '../compile/query-references'

export interface ReadForUpdate {
  /** The endpoint, at the version that is to be changed, or that a new one follows. */
  row: EndpointRow
  /** All materializations of the endpoint. */
  attached: readonly Attached[]
  /** What the query that was sent has to know of the project. */
  world: DraftWorld
}

/**
 * Reads an endpoint for an update.
 * @param version that the caller named.
 * @param draft the query that was sent.
 * @throws 404; 400, attr `version`, for one that the endpoint does not have.
 */
export async function readForUpdate(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version: number | undefined,
  draft: Draft | null,
): Promise<ReadForUpdate> {
  const named = endpointNamed(project.id, name)
  const [[row], attached, found, ...world] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    selectAttached(db, named),
    selectIsThere(db, named),
    ...selectWorld(db, project.id, draft?.needs),
  ])
  if (found.length === 0) throw notFound()
  if (!row) throw invalid('version', `Version ${version} not found for this endpoint.`)
  return { row, attached, world: worldFrom(world) }
}
