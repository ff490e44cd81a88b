// Defines the state of the activity page in its address.
import { parseSearch } from '../design/address'
import { endOfDay, isDay, startOfDay } from '../design/fields/days'
import type { Scope } from './merge'

/** The names of the kinds of items. */
export const KINDS = {
  flags: ['Feature flags', ['FeatureFlag']],
  queries: ['Saved queries', ['Endpoint', 'EndpointVersion', 'DataWarehouseSavedQuery', 'InsightVariable']],
  cohorts: ['Cohorts', ['Cohort']],
  people: ['People', ['Person']],
  dashboards: ['Dashboards', ['Dashboard']],
  approvals: ['Approvals', ['ApprovalPolicy', 'ChangeRequest']],
  schedules: ['Scheduled changes', ['ScheduledChange']],
  webhooks: ['Webhooks', ['Webhook']],
  definitions: ['Definitions', ['EventDefinition', 'PropertyDefinition', 'Action']],
  settings: ['Project settings', ['Project']],
  organization: ['Organization settings', ['Organization']],
  members: ['Members of the organization', ['OrganizationMembership']],
} as const satisfies Record<string, readonly [string, readonly Scope[]]>
export type Kind = keyof typeof KINDS

export interface ActivitySearch {
  kind?: Kind
  /** The address of a user, or `system` for changes by the service. */
  user?: string
  /** Days, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const { from, to, ...rest } = parseSearch(search, { kind: Object.keys(KINDS) }, ['user', 'from', 'to'])
  return {
    ...rest,
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  }
}

export const scopesOf = (kind: Kind | undefined): readonly Scope[] =>
  kind ? KINDS[kind][1] : Object.values(KINDS).flatMap(([, scopes]) => [...scopes])

/** Returns the filter for the API. Days are those of the browser's time zone, both inclusive. */
export function filterOf({ user, from, to }: ActivitySearch) {
  return {
    ...(user ? { user } : {}),
    ...(from ? { start_date: startOfDay(from) } : {}),
    // The range ends with the last microsecond of the day.
    ...(to ? { end_date: new Date(Date.parse(endOfDay(to)) - 1).toISOString().replace('Z', '999Z') } : {}),
  }
}
