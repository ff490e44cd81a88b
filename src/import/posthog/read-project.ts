// Reads a project through PostHog's API, which is also that of Halyard, as the source of an import and as its target.
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import { CallError, ifVisible } from '../call'
import type { Client } from '../client'
import type { Kind, TargetItem } from '../model'
import { noteOf } from '../note'
import { cohortItem, needsMembers } from './cohort-items'
import { eventDefinitionItem, groupTypeItem, propertyDefinitionItem, variableItem, queryItem } from './items'
import { flagItem, isPlaceholder } from './flag-items'
import { readList, readListPage } from './lists'
import { type Names, namesOf, referencesByName } from './names'
import { readMembers, readPeople } from './people'
import { readSettings } from './read-settings'

/** Maximum entries of the activity log from which notes are made. */
const MAX_ACTIVITY = 1_000
const ACTIVITY_PAGE = 100

export interface ProjectReading {
  items: TargetItem[]
  names: Names
  /** Remarks about what could not be read, and the consequence. */
  remarks: string[]
}

export interface ReadOptions {
  client: Client
  /** The project's path, such as `/api/projects/1/`. */
  project: string
  /**
   * The foreign service and its project, which the descriptions of flags name at their end. It may lack lists, or hide them from the key. Null
   * means a Halyard, of which a list that cannot be read is an error.
   */
  origin: string | null
  /** Which distinct ids of members are read: one of each person, or all. */
  members: 'one' | 'all'
  /** Kinds of settings that are read. The other items can be read without them. The default is all. */
  settings?: ReadonlySet<Kind>
}

/** Reads everything but persons, groups and events. @throws CallError. */
export async function readProject({
  client,
  project,
  origin,
  members: ids,
  settings,
}: ReadOptions): Promise<ProjectReading> {
  const remarks: string[] = []

  /** @returns null for a list that the service does not have, or does not show. */
  async function list(title: string, path: string): Promise<JsonObject[] | null> {
    try {
      return await readList(client, `${project}${path}`)
    } catch (error) {
      const isMissing = error instanceof CallError && [403, 404].includes(error.status ?? 0)
      if (origin === null || !isMissing) throw error
      // Versions of PostHog do not have all of these.
      if (error.status === 404 && OPTIONAL.has(title)) return null
      remarks.push(`${title} do not come over: ${error.message}`)
      return null
    }
  }

  const types = (await list('Group types', 'groups_types/')) ?? []
  const cohorts = ((await list('Cohorts', 'cohorts/')) ?? []).toSorted((a, b) => Number(a.id) - Number(b.id))
  const flags = await readFlags(list)
  const variables = (await list('Variables', 'insight_variables/')) ?? []
  const endpoints = (await list('Saved queries', 'endpoints/')) ?? []
  const names = namesOf({ cohorts, flags, types, variables })
  const references = referencesByName(names)
  const items: TargetItem[] = []

  for (const type of types) items.push(groupTypeItem(type, await firstGroup(client, project, type)))
  for (const each of (await list('Definitions of events', 'event_definitions/')) ?? [])
    items.push(eventDefinitionItem(each))
  for (const { query, owner } of owners(names)) {
    for (const each of (await list('Definitions of properties', `property_definitions/?${query}`)) ?? [])
      items.push(propertyDefinitionItem(each, owner))
  }
  for (const variable of variables) items.push(variableItem(variable))
  for (const cohort of cohorts) {
    const id = Number(cohort.id)
    const needs = needsMembers(cohort)
    const people = needs && ids === 'all' ? await readPeople(client, project, id) : undefined
    const members = needs && ids === 'one' ? await readMembers(client, project, id) : null
    const item = cohortItem(cohort, names.cohorts.get(id)!, references, people ? [...people.keys()] : members)
    items.push(people ? { ...item, people } : item)
  }
  const payloads = await readPayloads(client, project, flags)
  const activity = origin === null ? [] : await readActivity(client, project)
  const activityOf = Map.groupBy(activity, ({ item_id: id }) => id)
  for (const flag of flags) {
    const item = flagItem(flag, references, payloads)
    const entries = activityOf.get(String(flag.id)) ?? []
    items.push(origin === null || item.note ? item : { ...item, note: noteOf(flag, origin, entries) })
  }
  for (const endpoint of endpoints) {
    const path = `endpoints/${encodeURIComponent(String(endpoint.name))}/versions/`
    items.push(queryItem(endpoint, (await list('Versions', path)) ?? [], references))
  }
  const wants = (kind: Kind) => settings === undefined || settings.has(kind)
  const others = await readSettings({ client, project, list, flags, references, wants })
  return { items: items.concat(others), names, remarks }
}

const OPTIONAL = new Set(['Dashboards', 'Scheduled changes', 'Webhooks', 'Approval policies'])

type List = (title: string, path: string) => Promise<JsonObject[] | null>

/** Reads archived flags, which are a separate list. */
async function readFlags(list: List): Promise<JsonObject[]> {
  const live = (await list('Flags', 'feature_flags/')) ?? []
  const archived = (await list('Archived flags', 'feature_flags/?archived=true')) ?? []
  const byId = new Map([...live, ...archived].map((flag) => [Number(flag.id), flag]))
  return [...byId.values()]
    .filter(({ deleted }) => deleted !== true)
    .toSorted((a, b) => Number(a.id) - Number(b.id))
}

async function firstGroup(client: Client, project: string, type: JsonObject): Promise<JsonObject | null> {
  const path = `${project}groups/?group_type_index=${String(type.group_type_index)}`
  return (await ifVisible(readListPage(client, path, null)))?.rows[0] ?? null
}

const owners = ({ groupTypes }: Names) => [
  { query: 'type=event', owner: 'event' },
  { query: 'type=person', owner: 'person' },
  ...[...groupTypes].map(([index, name]) => ({
    query: `type=group&group_type_index=${index}`,
    owner: `group ${name}`,
  })),
]

/** Statuses with which a service answers where it has something not, or not for the key. */
const HIDDEN = [400, 403, 404]

/** Payloads that the API shows as encrypted, for a key that may read them. */
async function readPayloads(client: Client, project: string, flags: readonly JsonObject[]) {
  const payloads = new Map<number, JsonValue>()
  for (const { id, has_encrypted_payloads: isEncrypted } of flags) {
    if (isEncrypted !== true) continue
    const path = `${project}feature_flags/${String(id)}/remote_config/`
    const payload = await ifVisible(client.call('GET', path), HIDDEN)
    if (payload !== null && !isPlaceholder(payload)) payloads.set(Number(id), payload)
  }
  return payloads
}

/** The newest entries of all flags; none where the key may not read them. */
async function readActivity(client: Client, project: string): Promise<JsonObject[]> {
  const entries: JsonObject[] = []
  for (let page = 1; page <= MAX_ACTIVITY / ACTIVITY_PAGE; page++) {
    const path = `${project}feature_flags/activity/?limit=${ACTIVITY_PAGE}&page=${page}`
    const answer = await ifVisible(client.call<{ results?: JsonValue }>('GET', path), HIDDEN)
    const results = answer?.results
    if (!isArray(results) || results.length === 0) break
    entries.push(...results.filter(isObject))
  }
  return entries
}
