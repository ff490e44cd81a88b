import { and, eq } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { notFound, notFoundWithoutBody } from '../../errors'
import { idIn } from '../../http/fields'
import { type FlagContext, viewerOf } from '../context'
import { readablePayload } from '../payloads'
import { flagById, flagByKey, type FlagRow, selectFlag } from './rows'

/** Returns the flag with this id, deleted or not. @throws 404 when the project has no such flag */
export async function getFlag({ deps, project }: FlagContext, id: number): Promise<FlagRow> {
  const [row] = await selectFlag(deps.db, project.id, id)
  if (!row) throw notFound()
  return row
}

/**
 * Returns the payload of the remote configuration with this id or key: JSON text as the caller may see it, or null when it has none.
 * @throws 404 without a body when there is no such flag, or it is not a remote configuration
 */
export async function getRemoteConfig(context: FlagContext, idOrKey: string): Promise<string | null> {
  const { deps, project } = context
  const isNamed = /^\d+$/.test(idOrKey) ? flagById(project.id, idIn(idOrKey)) : flagByKey(project.id, idOrKey)
  const [flag] = await deps.db
    .select({ filters: featureFlags.filters })
    .from(featureFlags)
    .where(and(isNamed, eq(featureFlags.deleted, false), eq(featureFlags.isRemoteConfiguration, true)))
  if (!flag) throw notFoundWithoutBody()
  return readablePayload(flag.filters.payloads?.true ?? null, viewerOf(context))
}
