// Writes a cohort, and the members of a static one.
import type { JsonObject } from '../../json'
import type { Step } from '../plan'
import type { WriteContext } from './write-context'

/** Maximum members of one request, which is the limit of the API. */
const MAX_ADDED = 10_000

export async function writeCohort(
  { client, project, ids }: WriteContext,
  { item, target, added }: Step,
): Promise<string[]> {
  const path = `${project}cohorts/`
  const { is_static: isStatic, filters, ...rest } = item.value
  const chunks = chunksOf(added)
  let id = target?.id
  const fields: JsonObject = isStatic ? rest : { ...rest, filters: ids.resolve(filters as JsonObject) }
  if (id === undefined) {
    const first = isStatic ? { is_static: true, ...listOf(chunks.shift() ?? []) } : {}
    id = (await client.call<{ id: number }>('POST', path, { ...fields, ...first })).id
    ids.set('cohort', item.key, id)
  } else {
    await client.call('PATCH', `${path}${id}/`, fields)
  }
  for (const chunk of chunks) await client.call('PATCH', `${path}${id}/`, listOf(chunk))
  return []
}

/** Returns a list of persons as the API takes it. An empty list can only be sent as ids of persons. */
const listOf = (distinctIds: readonly string[]): JsonObject =>
  distinctIds.length === 0
    ? { _create_static_person_ids: [] }
    : { csv: ['distinct_id', ...distinctIds].map((id) => `"${id.replaceAll('"', '""')}"`).join('\n') }

function chunksOf(ids: readonly string[]): string[][] {
  const chunks: string[][] = []
  for (let at = 0; at < ids.length; at += MAX_ADDED) chunks.push(ids.slice(at, at + MAX_ADDED))
  return chunks
}
