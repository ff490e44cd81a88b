// Writes group types, variables, and definitions of events and properties.
import { codeNameOf } from '../../endpoints/variables/code-name'
import { isArray, type JsonObject, type JsonValue } from '../../json'
import { IMPORTER } from '../people'
import type { Step } from '../plan'
import { createOnce, type WriteContext } from './write-context'

/** Writes a group type, which its first group creates. */
export async function writeGroupType({ client, project, ids }: WriteContext, { item }: Step): Promise<void> {
  const {
    key,
    properties,
    created_at: createdAt,
  } = item.initial!.group as { key: string; properties: JsonObject; created_at?: string | null }
  const { api_token: token } = await client.call<{ api_token: string }>('GET', project)
  await client.repeatable('/batch/', {
    api_key: token,
    batch: [
      {
        uuid: crypto.randomUUID(),
        event: '$groupidentify',
        people_only: true,
        distinct_id: IMPORTER,
        ...(createdAt ? { timestamp: createdAt } : {}),
        properties: { $group_type: item.key, $group_key: key, $group_set: properties },
      },
    ],
  })
  const types = await client.call<{ group_type: string; group_type_index: number }[]>(
    'GET',
    `${project}groups_types/`,
  )
  const written = types.find(({ group_type: name }) => name === item.key)
  if (!written) throw new Error('was not created with its first group')
  ids.set('groupType', item.key, written.group_type_index)
}

/** Writes the marks of a definition. The definition itself is created when events are captured. */
export async function writeDefinition(
  { client, project }: WriteContext,
  path: string,
  { item, target }: Step,
): Promise<void> {
  const { property_type: type, ...marks } = item.value
  const body = { ...marks, ...(type ? { property_type: type } : {}) }
  await client.call('PATCH', `${project}${path}/${target!.id}/`, body as JsonObject)
}

export async function writeVariable(context: WriteContext, { item, target }: Step): Promise<void> {
  const { client, project } = context
  const path = `${project}insight_variables/`
  if (target) {
    await client.call('PATCH', `${path}${target.id}/`, item.value)
    return
  }
  const { name } = item.value as { name: string }
  // A variable that was renamed keeps its code name: it is created by that.
  const isRenamed = codeNameOf(name) !== item.key
  const first = isRenamed ? item.key.replaceAll('_', ' ') : name
  const id = await createOnce(context, ['variable', item.key], path, { ...item.value, name: first })
  if (isRenamed) await client.call('PATCH', `${path}${id}/`, { name })
}

export const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  isArray(value) ? (value as readonly JsonObject[]) : []
