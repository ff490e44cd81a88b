// Converts group types, definitions, variables, saved queries, settings, dashboards, scheduled changes, webhooks and approval policies of PostHog's
// API to items.
import { isArray, isObject, type JsonObject, type JsonValue } from '../../json'
import type { TargetItem } from '../model'
import { type References, tryReferences } from '../references'
import { textsIn } from './flag-items'

const plain = { changes: [], problem: null }

/** Converts the settings of a project. Its name is not one of them, because the target project already has a name. */
export const projectItem = (project: JsonObject): TargetItem => ({
  ...plain,
  kind: 'project',
  key: 'settings',
  id: Number(project.id),
  value: {
    timezone: project.timezone ?? 'UTC',
    require_evaluation_contexts: project.require_evaluation_contexts === true,
  },
})

const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')

const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  isArray(value) ? value.filter(isObject) : []

/** @param flags keys of the flags that name the dashboard. */
export function dashboardItem(dashboard: JsonObject, key: string, flags: readonly string[]): TargetItem {
  const { date_from: from, date_to: to } = isObject(dashboard.filters ?? null)
    ? (dashboard.filters as JsonObject)
    : {}
  const tiles = objectsIn(dashboard.tiles)
  const pinned = tiles.filter(({ endpoint }) => typeof endpoint === 'string')
  const charts = tiles.length - pinned.length
  return {
    kind: 'dashboard',
    key,
    id: Number(dashboard.id),
    value: {
      name: textOf(dashboard.name),
      description: textOf(dashboard.description),
      filters: { date_from: from ?? null, date_to: to ?? null },
      tiles: pinned.map(({ endpoint, layouts }) => ({ endpoint: endpoint!, layouts: layouts ?? {} })),
      flags: flags.toSorted(),
    },
    changes:
      charts > 0 ? [`${charts} of its ${tiles.length} tiles are left out: they are no saved queries`] : [],
    // PostHog's lists have this field. Its tiles are insights, which are computed when they are read.
    problem: 'is_shared' in dashboard ? 'its tiles are insights, and those here are saved queries' : null,
  }
}

/** Converts a scheduled change. A reference that leads nowhere is a problem of the item. @param flag key of its flag, if it exists */
export function scheduledChangeItem(
  change: JsonObject,
  key: string,
  flag: string | undefined,
  references: References,
): TargetItem {
  let problem: string | null = null
  if (flag === undefined) problem = `names the flag ${String(change.record_id)}, which does not exist`
  else if (change.cron_expression)
    problem = `repeats by the cron expression ${String(change.cron_expression)}: only intervals repeat here`
  const payload = change.payload as JsonObject
  const zone = change.timezone ?? 'UTC'
  const { mapped, problem: unknown } = tryReferences(payload, references)
  return {
    kind: 'scheduled_change',
    key,
    id: Number(change.id),
    value: {
      flag: flag ?? '',
      payload: mapped ?? payload,
      scheduled_at: change.scheduled_at!,
      is_recurring: change.is_recurring === true,
      recurrence_interval: change.recurrence_interval ?? null,
      end_date: change.end_date ?? null,
    },
    changes:
      change.is_recurring === true && zone !== 'UTC'
        ? [`it repeats in UTC, and no longer at a time of ${String(zone)}`]
        : [],
    problem: problem ?? unknown,
  }
}

export const webhookItem = (webhook: JsonObject, key: string): TargetItem => ({
  ...plain,
  kind: 'webhook',
  key,
  id: String(webhook.id),
  value: {
    url: textOf(webhook.url),
    description: textOf(webhook.description),
    events: textsIn(webhook.events),
  },
})

/** @param emails of members by id; null where they cannot be read. */
export function policyItem(policy: JsonObject, emails: ReadonlyMap<number, string> | null): TargetItem {
  const { quorum, users, roles } = policy.approver_config as JsonObject
  const hasRoles = [roles, policy.bypass_roles].some((each) => isArray(each) && each.length > 0)
  const ids = isArray(users) ? users : []
  // Those who left the organization stay in the policy.
  const approvers = ids.flatMap((id) => emails?.get(Number(id)) ?? [])
  const former = ids.length - approvers.length
  return {
    kind: 'approval_policy',
    key: String(policy.action_key),
    id: String(policy.id),
    value: {
      conditions: policy.conditions ?? {},
      quorum: quorum ?? 1,
      approvers: approvers.toSorted(),
      allow_self_approve: policy.allow_self_approve === true,
      bypass_org_membership_levels: policy.bypass_org_membership_levels ?? [],
      expires_after: policy.expires_after ?? '14 00:00:00',
      enabled: policy.enabled !== false,
    },
    changes: [
      ...(hasRoles ? ['its roles are left out: there are none here'] : []),
      ...(former > 0 ? [`${former} of its ${ids.length} approvers are left out: they are no members`] : []),
    ],
    problem:
      emails === null
        ? 'its approvers cannot be read'
        : approvers.length < Number(quorum ?? 1)
          ? `needs ${String(quorum ?? 1)} approvals, and ${approvers.length} of its approvers are members`
          : null,
  }
}

/** @param group one of the type, because the first group of a type creates it */
export const groupTypeItem = (type: JsonObject, group: JsonObject | null): TargetItem => ({
  ...plain,
  kind: 'group_type',
  key: String(type.group_type),
  id: Number(type.group_type_index),
  value: {},
  initial: group
    ? {
        group: {
          key: group.group_key,
          properties: group.group_properties ?? {},
          created_at: group.created_at ?? null,
        },
      }
    : {},
})

export const variableItem = (variable: JsonObject): TargetItem => ({
  ...plain,
  kind: 'variable',
  key: String(variable.code_name),
  id: String(variable.id),
  value: {
    name: String(variable.name),
    type: variable.type ?? 'String',
    default_value: variable.default_value ?? null,
    values: variable.values ?? null,
  },
})

const marksOf = (definition: JsonObject) => ({
  description: definition.description ?? '',
  tags: textsIn(definition.tags),
  verified: definition.verified === true,
  hidden: definition.hidden === true,
})

export const eventDefinitionItem = (definition: JsonObject): TargetItem => ({
  ...plain,
  kind: 'event_definition',
  key: String(definition.name),
  id: String(definition.id),
  value: marksOf(definition),
})

/** Types that properties have here. */
const PROPERTY_TYPES = new Set(['String', 'Numeric', 'Boolean', 'DateTime'])

/** @param owner `event`, `person`, or a group type as `group company`. */
export function propertyDefinitionItem(definition: JsonObject, owner: string): TargetItem {
  const { property_type: type } = definition
  const isKnown = typeof type === 'string' && PROPERTY_TYPES.has(type)
  return {
    ...plain,
    kind: 'property_definition',
    key: `${owner} ${String(definition.name)}`,
    id: String(definition.id),
    value: { ...marksOf(definition), property_type: isKnown ? type : null },
    changes: isKnown || (type ?? null) === null ? [] : [`has no type here: ${String(type)} does not exist`],
  }
}

/** @param versions newest first, as the API lists them. */
export function queryItem(
  endpoint: JsonObject,
  versions: readonly JsonObject[],
  references: References,
): TargetItem {
  let problem: string | null = null
  const queryOf = ({ query }: JsonObject): JsonObject => {
    const { mapped, problem: unknown } = tryReferences(isObject(query) ? query : {}, references)
    problem = unknown ?? problem
    return mapped ?? {}
  }
  const listed = versions.toSorted((a, b) => Number(a.version) - Number(b.version))
  return {
    kind: 'query',
    key: String(endpoint.name),
    id: String(endpoint.name),
    value: {
      is_active: endpoint.is_active !== false,
      tags: textsIn(endpoint.tags),
      derived_from_insight: endpoint.derived_from_insight ?? null,
      versions: listed.map((version) => ({
        query: queryOf(version),
        description: version.description ?? '',
        data_freshness_seconds: version.data_freshness_seconds ?? 86_400,
        is_active: version.is_active !== false,
        is_materialized: version.is_materialized === true,
        optional_breakdown_properties: version.optional_breakdown_properties ?? [],
        bucket_overrides: version.bucket_overrides ?? null,
      })),
    },
    initial: { numbers: listed.map(({ version }) => Number(version)) },
    changes: [],
    problem,
  }
}
