// The steps of a funnel, and shared parts of its queries.
import { list } from '../text-parts'

export type Order = 'ordered' | 'strict' | 'unordered'

/** An event that ends an attempt between two steps. The columns of these events are `e0`, `e1`, … */
export interface ExcludedSpan {
  from: number
  to: number
}

export interface Steps {
  count: number
  order: Order
  /** HogQL for the end of a conversion window. */
  until(time: string): string
  /** Whether one event could match both steps. The second step then needs a later event. */
  mayBeSame(one: number, other: number): boolean
  isOptional(step: number): boolean
  exclusions: readonly ExcludedSpan[]
  breakdowns: readonly string[]
  /** The breakdowns that all events of an attempt have in common. Else an attempt has those of its first event. */
  shared: readonly string[]
}

/** The numbers from `from` to before `to`. */
export const span = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

export const requiredSteps = ({ count, isOptional }: Steps): number[] =>
  span(0, count).filter((step) => !isOptional(step))

export const optionalSteps = ({ count, isOptional }: Steps): number[] => span(0, count).filter(isOptional)

/** Columns that order events of the same time, where their order matters. */
export const tieBreakers = ({ order, exclusions }: Steps): string[] =>
  order === 'strict' || exclusions.length > 0 ? ['id'] : []

/**
 * HogQL of the smallest `value` among the rows at or after this one in time; `later` leaves out the row itself. The window sorts rows in
 * descending order, so that later rows precede.
 */
export function nextOf(steps: Steps, which: 'same or later' | 'later' | 'excluded', value: string): string {
  const { order, shared } = steps
  const rows =
    order === 'strict'
      ? 'ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING'
      : which === 'same or later'
        ? 'RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'
        : 'ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING'
  const isExact = order === 'strict' || which === 'excluded'
  const sorted = ['at', ...(isExact ? tieBreakers(steps) : [])].map((name) => `${name} DESC`)
  return `min(${value}) OVER (PARTITION BY ${list('actor', shared)} ORDER BY ${list(sorted)} ${rows})`
}
