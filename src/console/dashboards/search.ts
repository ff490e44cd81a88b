// Defines the state of pages about dashboards in their addresses.
import type { DashboardFilter } from '../api/dashboards'
import { parseSearch, variablesIn } from '../design/address'
import { rangeOptions } from '../design/fields/time-range'
import type { Values } from '../query/draft'

export interface DashboardsSearch {
  search?: string
  /** Whether dashboards of flags are listed, or all; by default, those that users made. */
  of?: 'flags' | 'all'
  /** Set while the form of a new one is open. */
  form?: 'new'
}

export const parseDashboardsSearch = (search: Record<string, unknown>): DashboardsSearch =>
  parseSearch(search, { of: ['flags', 'all'], form: ['new'] }, ['search'])

export const dashboardFilterOf = ({ search, of }: DashboardsSearch): DashboardFilter => ({
  ...(search ? { search } : {}),
  ...(of === 'all' ? {} : { creation_mode: of === 'flags' ? ('template' as const) : ('default' as const) }),
})

/** The ranges, by their start as the API names it. */
export const RANGES = rangeOptions('-24h', '-7d', '-14d', '-30d', '-90d', '-180d')

/** The intervals of refreshes. */
export const INTERVALS = [
  ['', 'No automatic refresh'],
  ['30s', 'Every 30 seconds'],
  ['1m', 'Every minute'],
  ['5m', 'Every 5 minutes'],
  ['15m', 'Every 15 minutes'],
] as const

/** Returns milliseconds, or false for no refresh. */
export function intervalMs(refresh: string | undefined): number | false {
  const [, amount, unit] = /^(\d+)([sm])$/.exec(refresh ?? '') ?? []
  return amount === undefined ? false : Number(amount) * (unit === 'm' ? 60_000 : 1_000)
}

export interface DashboardSearch {
  /** The start of the range, by default that of the dashboard. With `own`, each tile has its own. */
  range?: string
  /** The end of the range, as a date. */
  to?: string
  refresh?: string
  /** Values of variables by code name. */
  variables?: Values
}

const FROM = /^(own|-\d{1,4}[hdwmqy]|\d{4}-\d\d-\d\d)$/
const TO = /^\d{4}-\d\d-\d\d$/

export function parseDashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const { range, to, ...rest } = parseSearch(
    search,
    { refresh: INTERVALS.map(([value]) => value).filter(Boolean) },
    ['range', 'to'],
  )
  return {
    ...(range !== undefined && FROM.test(range) ? { range } : {}),
    ...(to !== undefined && TO.test(to) ? { to } : {}),
    ...rest,
    ...variablesIn(search.variables),
  }
}
