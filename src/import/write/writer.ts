// Writes items through the target's public API.
import type { Kind } from '../model'
import type { Step } from '../plan'
import { type WriteContext, createOnce } from './write-context'
import { writeDefinition, writeGroupType, writeVariable } from './write-definitions'
import { writeQuery } from './write-query'
import {
  writeDashboard,
  writePolicy,
  writeProject,
  writeScheduledChange,
  writeWebhook,
} from './write-settings'
import type { JsonObject } from '../../json'
import { withNote } from '../note'
import { changeFlag, createFlag, STAND_IN } from './change-flag'
import { batchesOf } from '../batches'

/** @returns what could not be written of the item, though the item was */
type Write = (context: WriteContext, step: Step, phase: FlagPhase) => Promise<string[] | void>

const WRITERS: Record<Kind, Write> = {
  group_type: writeGroupType,
  event_definition: (context, step) => writeDefinition(context, 'event_definitions', step),
  property_definition: (context, step) => writeDefinition(context, 'property_definitions', step),
  variable: writeVariable,
  cohort: writeCohort,
  flag: writeFlag,
  query: writeQuery,
  dashboard: writeDashboard,
  scheduled_change: writeScheduledChange,
  webhook: writeWebhook,
  project: writeProject,
  approval_policy: writePolicy,
}

/**
 * @returns what could not be written of the item, though the item was.
 * @throws CallError, UnknownReference.
 */
export const writeStep = async (context: WriteContext, step: Step, phase: FlagPhase): Promise<string[]> =>
  (await WRITERS[step.item.kind](context, step, phase)) ?? []

/**
 * Writes a flag. A disabled flag on which others depend is written twice, because no dependency can be added to a disabled flag: first as
 * an enabled one that reaches nobody, and when the others exist, as it is.
 */
export type FlagPhase = 'whole' | 'stand-in'

async function writeFlag(
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

/** Maximum members of one request, which is the limit of the API. */
const MAX_ADDED = 10_000
/** Maximum bytes of their JSON. As CSV in JSON they may take twice as many, of the 1 MiB of a request. */
const MAX_ADDED_BYTES = 400 * 1024

async function writeCohort(context: WriteContext, { item, target, added, removed }: Step): Promise<void> {
  const { client, project, ids } = context
  const path = `${project}cohorts/`
  const { is_static: isStatic, filters, ...rest } = item.value
  const batches = [...batchesOf(added, MAX_ADDED, MAX_ADDED_BYTES)]
  const fields: JsonObject = isStatic ? rest : { ...rest, filters: ids.resolve(filters as JsonObject) }
  if (target) await client.call('PATCH', `${path}${target.id}/`, fields)
  const first = isStatic && !target ? { is_static: true, ...listOf(batches.shift() ?? []) } : {}
  const id = target?.id ?? (await createOnce(context, ['cohort', item.key], path, { ...fields, ...first }))
  for (const batch of batches) await client.call('PATCH', `${path}${id}/`, listOf(batch))
  for (const person of removed)
    await client.call('PATCH', `${path}${id}/remove_person_from_static_cohort/`, { person_id: person })
}

/** Returns a list of persons as the API takes it. An empty list can only be sent as ids of persons. */
const listOf = (distinctIds: readonly string[]): JsonObject =>
  distinctIds.length === 0
    ? { _create_static_person_ids: [] }
    : { csv: ['distinct_id', ...distinctIds].map((id) => `"${id.replaceAll('"', '""')}"`).join('\n') }
