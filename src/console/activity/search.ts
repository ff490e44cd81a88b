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
  definitions: ['Definitions', ['EventDefinition', 'PropertyDefinition']],
} as const satisfies Record<string, readonly [string, readonly Scope[]]>
export type Kind = keyof typeof KINDS

export interface ActivitySearch {
  kind?: Kind
  user?: string
  from?: string
  to?: string
}

const DAY = /^\d{4}-\d\d-\d\d$/

export function parseActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const { from, to, ...rest } = parseSearch(search, { kind: Object.keys(KINDS) }, ['user', 'from', 'to'])
  return {
    ...rest,
    ...(from && DAY.test(from) ? { from } : {}),
    ...(to && DAY.test(to) ? { to } : {}),
  }
}

export const scopesOf = (kind: Kind | undefined): readonly Scope[] =>
  kind ? KINDS[kind][1] : Object.values(KINDS).flatMap(([, scopes]) => [...scopes])
