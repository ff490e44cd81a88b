// The payload of a remote configuration, for whoever reads nothing else of the flag.
import { and, eq } from 'drizzle-orm'
import { featureFlags } from '../../drizzle'
import { notFoundWithoutBody } from '../errors'
import { idIn } from '../http/fields'
import { type FlagContext, viewerOf } from './context'
import { readablePayload } from './payloads'
import { flagById, flagByKey } from './rows'

/**
 * The payload of the flag with this id or key: JSON text as the caller may see it, or null when it has none.
 * @throws 404 without a body when there is no such flag, or it is no remote configuration.
 */
export async function readRemoteConfig(context: FlagContext, idOrKey: string): Promise<string | null> {
  const { deps, project } = context
  const named = /^\d+$/.test(idOrKey) ? flagById(project.id, idIn(idOrKey)) : flagByKey(project.id, idOrKey)
  const [flag] = await deps.db
    .select({ filters: featureFlags.filters })
    .from(featureFlags)
    .where(and(named, eq(featureFlags.deleted, false), eq(featureFlags.isRemoteConfiguration, true)))
  if (!flag) throw notFoundWithoutBody()
  return readablePayload(flag.filters.payloads?.true ?? null, viewerOf(context))
}
