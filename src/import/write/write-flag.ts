// Writes a flag.
import type { JsonObject } from '../../json'
import { withNote } from '../note'
import type { Step } from '../plan'
import { changeFlag, createFlag, STAND_IN } from './change-flag'
import type { WriteContext } from './write-context'

/**
 * Writes a flag. A disabled flag on which others depend is written twice, because no dependency can be added to a disabled flag: first as
 * an enabled one that reaches nobody, and when the others exist, as it is.
 */
export type FlagPhase = 'whole' | 'stand-in'

export async function writeFlag(
  { client, project, ids }: WriteContext,
  { item, target, fields }: Step,
  phase: FlagPhase,
): Promise<void> {
  const path = `${project}feature_flags/`
  const { filters, rollback_conditions: rollback, name, ...rest } = item.value
  const body: JsonObject = {
    ...rest,
    name: withNote(String(name), item.note ?? target?.note),
    filters: ids.resolve(filters as JsonObject),
    ...(rollback === null || rollback === undefined ? {} : { rollback_conditions: rollback }),
  }
  if (target) {
    // Filters that stay as they are may name a flag that is disabled by now: sent again, they would be rejected.
    const changed = Object.entries(body).filter(([field]) => fields.includes(field))
    await changeFlag(client, `${path}${target.id}/`, Object.fromEntries(changed))
    return
  }
  const standIn = ids.find('flag', item.key)
  if (standIn !== undefined) {
    await changeFlag(client, `${path}${standIn}/`, body)
    return
  }
  const { usage_dashboard: hasUsageDashboard, ...initial } = item.initial ?? {}
  const created = {
    ...body,
    ...initial,
    key: item.key,
    ...(phase === 'stand-in' ? STAND_IN : {}),
    _should_create_usage_dashboard: hasUsageDashboard === true,
  }
  await createFlag(client, path, created, (id) => ids.set('flag', item.key, id))
}
