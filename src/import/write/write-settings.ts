// Writes settings of the project, dashboards, scheduled changes, webhooks and approval policies.
import { isArray, type JsonObject } from '../../json'
import type { Step } from '../plan'
import { readMembers } from '../posthog/read-settings'
import { UnknownReference } from '../references'
import { listOf } from './write-definitions'
import { createOnce, type WriteContext } from './write-context'

export async function writeProject({ client, project }: WriteContext, { item }: Step): Promise<void> {
  await client.call('PATCH', project, item.value)
}

export async function writeDashboard(context: WriteContext, { item, target }: Step): Promise<void> {
  const { client, project } = context
  const path = `${project}dashboards/`
  const { flags, tiles, ...fields } = item.value
  const wanted = listOf(tiles)
  if (!target) {
    const id = await createOnce(context, ['dashboard', item.key], path, { ...fields, tiles: wanted })
    await linkFlags(context, Number(id), flags, [])
    return
  }
  const { tiles: here } = await client.call<JsonObject>('GET', `${path}${target.id}/`)
  await client.call('PATCH', `${path}${target.id}/`, { ...fields, tiles: tileChanges(wanted, listOf(here)) })
  await linkFlags(context, Number(target.id), flags, target.value.flags)
}

/** Returns the changes of tiles. Tiles of saved queries that stay are arranged, and others are removed or added. */
function tileChanges(wanted: readonly JsonObject[], here: readonly JsonObject[]): JsonObject[] {
  const waiting = [...wanted]
  const changes = here.flatMap(({ id, endpoint }): JsonObject[] => {
    if (typeof endpoint !== 'string') return []
    const at = waiting.findIndex((tile) => tile.endpoint === endpoint)
    if (at < 0) return [{ id: id!, deleted: true }]
    const [tile] = waiting.splice(at, 1)
    return [{ id: id!, layouts: tile!.layouts! }]
  })
  return [...changes, ...waiting]
}

/** Writes the dashboard to its flags, which have the ids of their dashboards. */
async function linkFlags(
  { client, project, ids }: WriteContext,
  dashboard: number,
  wanted: unknown,
  here: unknown,
): Promise<void> {
  const [after, before] = [wanted, here].map((keys) => new Set(isArray(keys) ? keys.map(String) : []))
  for (const key of after!.symmetricDifference(before!)) {
    const id = ids.find('flag', key)
    if (id === undefined) continue
    const path = `${project}feature_flags/${id}/`
    const flag = await client.call<{ analytics_dashboards: number[] }>('GET', path)
    const others = flag.analytics_dashboards.filter((each) => each !== dashboard)
    await client.call('PATCH', path, {
      analytics_dashboards: after!.has(key) ? [...others, dashboard] : others,
    })
  }
}

/**
 * Creates or updates a scheduled change.
 * @throws UnknownReference for a flag that was not written
 */
export async function writeScheduledChange(context: WriteContext, { item, target }: Step): Promise<void> {
  const { client, project, ids } = context
  const path = `${project}scheduled_changes/`
  const { flag, payload, ...timing } = item.value
  const change = { ...timing, payload: ids.resolve(payload as JsonObject) }
  if (target) {
    await client.call('PATCH', `${path}${target.id}/`, change)
    return
  }
  const id = ids.find('flag', String(flag))
  if (id === undefined) throw new UnknownReference(`needs flag ${String(flag)}, which was not written`)
  await client.call('POST', path, { model_name: 'FeatureFlag', record_id: String(id), ...change })
}

/** Writes a webhook. A new one is paused, because its receiver does not have the secret yet. */
export async function writeWebhook({ client, project }: WriteContext, { item, target }: Step): Promise<void> {
  const path = `${project}webhooks/`
  if (target) await client.call('PATCH', `${path}${target.id}/`, item.value)
  else await client.call('POST', path, { ...item.value, active: false })
}

/** @returns the approvers who are no members of the target */
export async function writePolicy(
  { client, project }: WriteContext,
  { item, target }: Step,
): Promise<string[]> {
  const path = `${project}approval_policies/`
  const { approvers, quorum, ...fields } = item.value
  const emails = (approvers as readonly string[]).map((email) => email.toLowerCase())
  const members = [...((await readMembers(client, project)) ?? [])]
  const users = members.filter(([, email]) => emails.includes(email.toLowerCase()))
  const known = new Set(users.map(([, email]) => email.toLowerCase()))
  const missing = emails.filter((email) => !known.has(email))
  if (users.length < Number(quorum)) throw new UnknownReference(`needs members here: ${missing.join(', ')}`)
  const body = {
    ...fields,
    action_key: item.key,
    approver_config: { quorum: quorum!, users: users.map(([id]) => id) },
  }
  if (target) await client.call('PATCH', `${path}${target.id}/`, body)
  else await client.call('POST', path, body)
  return missing.length > 0 ? [`has no approvers who are no members here: ${missing.join(', ')}`] : []
}
