// One flag of the caller's project.
import { notFound } from '../errors'
import type { FlagContext } from './context'
import { flagById, type FlagRow, selectFlags } from './rows'

/**
 * The flag with this id, deleted or not.
 * @throws 404 when the project has no such flag, whoever else may have it.
 */
export async function findFlag({ deps, project }: FlagContext, id: number): Promise<FlagRow> {
  const [row] = await selectFlags(deps.db, flagById(project.id, id))
  if (!row) throw notFound()
  return row
}
