// The state of the activity page in its address.
import { parseSearch } from '../design/address'
import type { Scope } from './merge'

/** What a person calls the kinds of items. */
export const KINDS = {
  flags: ['Feature flags', ['FeatureFlag']],
  queries: ['Saved queries', ['Endpoint', 'EndpointVersion', 'DataWarehouseSavedQuery']],
  cohorts: ['Cohorts', ['Cohort']],
  people: ['People', ['Person']],
  dashboards: ['Dashboards', ['Dashboard']],
  approvals: ['Approvals', ['ApprovalPolicy', 'ChangeRequest']],
  schedules: ['Scheduled changes', ['ScheduledChange']],
  webhooks: ['Webhooks', ['Webhook']],
  definitions: ['Definitions', ['EventDefinition', 'PropertyDefinition', 'Action']],
} as const satisfies Record<string, readonly [string, readonly Scope[]]>
export type Kind = keyof typeof KINDS

export interface ActivitySearch {
  kind?: Kind
  /** Address of a user; `system` for changes by the service. */
  user?: string
  /** Days, `YYYY-MM-DD`. */
  from?: string
  to?: string
}

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

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

/** What the API is asked for: days are those of the browser's time zone, both included. */
export function filterOf({ user, from, to }: ActivitySearch) {
  const end = to && new Date(`${to}T00:00:00`)
  if (end) end.setDate(end.getDate() + 1)
  return {
    ...(user ? { user } : {}),
    ...(from ? { start_date: new Date(`${from}T00:00:00`).toISOString() } : {}),
    // The last microsecond of the day.
    ...(end ? { end_date: new Date(end.getTime() - 1).toISOString().replace('Z', '999Z') } : {}),
  }
}
