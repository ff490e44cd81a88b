// Facts for an update, read in one batch.
import { invalid, notFound } from '../../errors'
import type { EndpointContext } from '../context'
import { type AttachedMaterialization, selectAttached } from '../materialization/lifecycle-statements'
import type { QueryCompilation, ProjectFacts } from '../compile/query-compilation'
import {
  endpointNamed,
  type EndpointRow,
  selectEndpoints,
  selectExistence,
  versionNumbered,
} from '../endpoint-rows'
import { selectFacts, factsFrom } from '../compile/query-references'

export interface UpdateFacts {
  /** At the version to change, or the one before the new version. */
  row: EndpointRow
  attached: readonly AttachedMaterialization[]
  /** For the sent query. */
  facts: ProjectFacts
}

/** @throws 404; 400, attr `version`, for an unknown version */
export async function readUpdateFacts(
  { deps: { db }, project }: Pick<EndpointContext, 'deps' | 'project'>,
  name: string,
  version: number | undefined,
  compilation: QueryCompilation | null,
): Promise<UpdateFacts> {
  const named = endpointNamed(project.id, name)
  const [[row], attached, found, ...facts] = await db.batch([
    selectEndpoints(db, named, versionNumbered(version)),
    selectAttached(db, named),
    selectExistence(db, named),
    ...selectFacts(db, project.id, compilation?.references),
  ])
  if (found.length === 0) throw notFound()
  if (!row) throw invalid('version', `Version ${version} not found for this endpoint.`)
  return { row, attached, facts: factsFrom(facts) }
}
