// Defines the state of the page of events in its address.
import { parseSearch } from '../design/address'
import { isDay } from '../design/fields/days'
import { type ConditionSearch, parseWhere } from '../people/conditions'

export interface EventSearch extends ConditionSearch {
  tab?: 'warnings'
  event?: string
  /** A distinct id. */
  person?: string
  /** The days on which events arrived, `YYYY-MM-DD`. */
  from?: string
  to?: string
  /** The uuid of the event that is shown in full. */
  show?: string
}

/** Changed parameters of the address. Undefined removes one. */
export type EventSearchChange = { [Name in keyof EventSearch]?: EventSearch[Name] | undefined }

export function parseEventSearch(search: Record<string, unknown>): EventSearch {
  const { from, to, ...rest } = parseSearch(search, { tab: ['warnings'] }, [
    'event',
    'person',
    'from',
    'to',
    'show',
  ])
  return {
    ...rest,
    ...parseWhere(search),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
  }
}
