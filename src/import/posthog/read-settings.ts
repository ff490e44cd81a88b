// Reads the parts of a project besides flags, cohorts and queries.
import { isArray, isObject, type JsonObject } from '../../json'
import { ifVisible } from '../call'
import type { Client } from '../client'
import type { Kind, TargetItem } from '../model'
import type { References } from '../references'
import { readList } from './lists'
import { nameOf, uniqueNames } from './names'
import { dashboardItem, policyItem, projectItem, scheduledChangeItem, webhookItem } from './items'

export interface SettingsFacts {
  client: Client
  /** The project's path, such as `/api/projects/1/`. */
  project: string
  /** @returns null for a list that the service does not have, or does not show. */
  list(title: string, path: string): Promise<JsonObject[] | null>
  flags: readonly JsonObject[]
  references: References
  wants(kind: Kind): boolean
}

/** Reads settings, in the order in which they are written. @throws CallError */
export async function readSettings(facts: SettingsFacts): Promise<TargetItem[]> {
  const { wants } = facts
  return [
    ...(wants('dashboard') ? await readDashboards(facts) : []),
    ...(wants('scheduled_change') ? await readScheduledChanges(facts) : []),
    ...(wants('webhook') ? await readWebhooks(facts) : []),
    ...(wants('project') ? await readProjectSettings(facts) : []),
    ...(wants('approval_policy') ? await readPolicies(facts) : []),
  ]
}

const byId = (a: JsonObject, b: JsonObject) => Number(a.id) - Number(b.id)

/** Reads dashboards, without usage dashboards, which the flags create. */
async function readDashboards({ client, project, list, flags }: SettingsFacts): Promise<TargetItem[]> {
  const rows = ((await list('Dashboards', 'dashboards/')) ?? []).filter(
    ({ creation_mode: mode, deleted }) => mode !== 'template' && deleted !== true,
  )
  const sorted = rows.toSorted(byId)
  const keys = uniqueNames(sorted.map(nameOf))
  const flagsOf = flagsByDashboard(flags)
  const items: TargetItem[] = []
  for (const [index, row] of sorted.entries()) {
    const whole =
      'is_shared' in row
        ? row
        : await client.call<JsonObject>('GET', `${project}dashboards/${String(row.id)}/`)
    items.push(dashboardItem(whole, keys[index]!, flagsOf.get(Number(row.id)) ?? []))
  }
  return items
}

/** The keys of the flags that name each dashboard, by its id. */
function flagsByDashboard(flags: readonly JsonObject[]): ReadonlyMap<number, string[]> {
  const pairs = flags.flatMap(({ key, analytics_dashboards: ids }) =>
    [...new Set(isArray(ids) ? ids.map(Number) : [])].map((id) => ({ id, key: String(key) })),
  )
  const grouped = Map.groupBy(pairs, ({ id }) => id)
  return new Map([...grouped].map(([id, own]) => [id, own.map(({ key }) => key)]))
}

/** Reads the scheduled changes that have not run. */
async function readScheduledChanges({ list, flags, references }: SettingsFacts): Promise<TargetItem[]> {
  const rows = ((await list('Scheduled changes', 'scheduled_changes/?model_name=FeatureFlag')) ?? [])
    .filter(({ executed_at: at, payload }) => (at ?? null) === null && isObject(payload ?? null))
    .toSorted(byId)
  const flagKeys = new Map(flags.map(({ id, key }) => [String(id), String(key)]))
  const flagOf = ({ record_id: id }: JsonObject) => flagKeys.get(String(id))
  const keys = uniqueNames(
    rows.map((row) => {
      const { operation } = row.payload as JsonObject
      // The time of a recurring change advances.
      const when = row.recurrence_interval ?? row.cron_expression ?? row.scheduled_at
      return `${flagOf(row) ?? String(row.record_id)} ${String(operation)} ${String(when)}`
    }),
  )
  return rows.map((row, index) => scheduledChangeItem(row, keys[index]!, flagOf(row), references))
}

async function readWebhooks({ list }: SettingsFacts): Promise<TargetItem[]> {
  const rows = (await list('Webhooks', 'webhooks/')) ?? []
  const keys = uniqueNames(rows.map(({ url }) => String(url)))
  return rows.map((row, index) => webhookItem(row, keys[index]!))
}

async function readProjectSettings({ client, project }: SettingsFacts): Promise<TargetItem[]> {
  const row = await ifVisible(client.call<JsonObject>('GET', project))
  return row ? [projectItem(row)] : []
}

async function readPolicies(facts: SettingsFacts): Promise<TargetItem[]> {
  const rows = ((await facts.list('Approval policies', 'approval_policies/')) ?? []).filter((row) =>
    isObject(row.approver_config ?? null),
  )
  if (rows.length === 0) return []
  const emails = await readMembers(facts.client, facts.project)
  return rows.map((row) => policyItem(row, emails))
}

/** Email addresses of the members of the project's organization, by id, or null where they cannot be read. */
export async function readMembers(client: Client, project: string): Promise<Map<number, string> | null> {
  const row = await ifVisible(client.call<JsonObject>('GET', project))
  const members =
    row && (await ifVisible(readList(client, `/api/organizations/${String(row.organization)}/members/`)))
  if (!members) return null
  const users = members.map(({ user }) => user).filter((user) => isObject(user ?? null)) as JsonObject[]
  return new Map(users.map(({ id, email }) => [Number(id), String(email)]))
}
