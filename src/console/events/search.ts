// The state of the page of events in its address.
import type { PropertyCondition } from '../api/people'
import { parseSearch } from '../design/address'

export interface ConditionSearch {
  property?: string
  operator?: string
  value?: string
}

export interface EventSearch extends ConditionSearch {
  tab?: 'warnings'
  event?: string
  /** A distinct id. */
  person?: string
  /** Uuid of the event that is shown in full. */
  show?: string
}

export const parseEventSearch = (search: Record<string, unknown>): EventSearch =>
  parseSearch(search, { tab: ['warnings'] }, [
    'event',
    'person',
    'show',
    'property',
    'operator',
    'value',
  ]) as EventSearch

/** Operators of a condition that take no value. */
export const isWithoutValue = (operator: string): boolean =>
  operator === 'is_set' || operator === 'is_not_set'

export const conditionOf = ({
  property,
  operator = 'exact',
  value,
}: ConditionSearch): PropertyCondition | undefined =>
  property && (value || isWithoutValue(operator)) ? { property, operator, value: value ?? '' } : undefined
