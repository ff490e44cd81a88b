// Writes a cohort, and the members of a static one.
import type { JsonObject } from '../../json'
import type { Step } from '../plan'
import { batchesOf } from '../batches'
import { createOnce, type WriteContext } from './write-context'

/** Maximum members of one request, which is the limit of the API. */
const MAX_ADDED = 10_000
/** Maximum bytes of their JSON. As CSV in JSON they may take twice as many, of the 1 MiB of a request. */
const MAX_ADDED_BYTES = 400 * 1024

export async function writeCohort(
  context: WriteContext,
  { item, target, added, removed }: Step,
): Promise<void> {
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
