// Rejects funnels that cannot be computed.
import { invalid } from '../../../errors'
import type { FunnelsQuery } from '../../query/query-types'
import type { SeriesNode } from '../../query/schema-parts'
import { writtenBreakdowns } from '../../query/written-breakdowns'
import { isByCohort } from '../cohort-breakdown'
import { MAX_EXCLUSIONS, MAX_FUNNEL_STEPS } from '../limits'

/** Whether one event could match both steps. */
export const mayBeSame = (a: SeriesNode, b: SeriesNode) => !a.event || !b.event || a.event === b.event

/** Seconds of the units of conversion windows, as upstream: a day has 24 hours also where clocks change, and each month 31 days. */
const SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400, week: 604_800, month: 31 * 86_400 }

/** Most years of a conversion window. A date plus a longer one can be NULL. */
export const MAX_WINDOW_YEARS = 10

/** Returns the seconds within which an actor takes all steps. */
export const windowSeconds = (filter: FunnelsQuery['funnelsFilter']): number =>
  Math.trunc(filter?.funnelWindowInterval ?? 14) * SECONDS[filter?.funnelWindowIntervalUnit ?? 'day']

/** @throws 400 `query` with the first broken rule */
export function requireFunnel(query: FunnelsQuery): void {
  const { series, funnelsFilter: filter } = query
  const order = filter?.funnelOrderType ?? 'ordered'
  if (series.length < 2) throw invalid('query', 'A FunnelsQuery needs at least two series.')
  if (series.length > MAX_FUNNEL_STEPS)
    throw invalid('query', `A FunnelsQuery has at most ${MAX_FUNNEL_STEPS} series.`)
  if (
    order === 'unordered' &&
    series.some((node) => series.filter((other) => mayBeSame(node, other)).length > 2)
  ) {
    throw invalid('query', 'An unordered FunnelsQuery has at most two steps of the same event.')
  }
  const seconds = windowSeconds(filter)
  if (!(seconds >= 1 && seconds <= MAX_WINDOW_YEARS * 366 * SECONDS.day)) {
    throw invalid(
      'query',
      `funnelsFilter.funnelWindowInterval is a number from 1, and at most ${MAX_WINDOW_YEARS} years.`,
    )
  }
  requireOptional(series, order)
  requireExclusions(query, order)
  requireSpan(query)
  requireAttribution(query)
}

function requireOptional(series: readonly SeriesNode[], order: string): void {
  const first = series.findIndex(({ optionalInFunnel }) => optionalInFunnel)
  if (first === 0) throw invalid('query', 'series[0].optionalInFunnel: the first step is never optional.')
  if (first > 0 && order !== 'ordered') {
    throw invalid('query', `series[${first}].optionalInFunnel needs the funnelOrderType 'ordered'.`)
  }
}

function requireExclusions({ series, funnelsFilter: filter }: FunnelsQuery, order: string): void {
  const exclusions = filter?.exclusions ?? []
  const last = series.length - 1
  if (exclusions.length > MAX_EXCLUSIONS) {
    throw invalid('query', `funnelsFilter.exclusions has at most ${MAX_EXCLUSIONS} events.`)
  }
  for (const [index, { funnelFromStep: from, funnelToStep: to, ...node }] of exclusions.entries()) {
    const at = `funnelsFilter.exclusions[${index}]`
    if (!(from >= 0 && from < to && to <= last)) {
      throw invalid(
        'query',
        `${at}: funnelFromStep and funnelToStep are numbers of steps from 0 to ${last}, the first one smaller.`,
      )
    }
    if (order === 'unordered' && (from !== 0 || to !== last)) {
      throw invalid('query', `${at}: in an unordered FunnelsQuery, exclusions are from step 0 to ${last}.`)
    }
    if (series[from]!.optionalInFunnel || series[to]!.optionalInFunnel) {
      throw invalid('query', `${at}: funnelFromStep and funnelToStep must not be optional steps.`)
    }
    if (series.slice(from, to + 1).some((step) => isEqual(step, node))) {
      throw invalid('query', `${at}: the event is a step of the funnel itself.`)
    }
  }
}

const isEqual = (a: SeriesNode, b: SeriesNode) =>
  (a.event ?? null) === (b.event ?? null) &&
  (a.id ?? null) === (b.id ?? null) &&
  JSON.stringify(a.properties ?? []) === JSON.stringify(b.properties ?? [])

/** The steps that `time_to_convert` and `trends` compare. */
export function comparedSteps({ series, funnelsFilter: filter }: FunnelsQuery): { from: number; to: number } {
  return { from: filter?.funnelFromStep ?? 0, to: filter?.funnelToStep ?? series.length - 1 }
}

function requireSpan(query: FunnelsQuery): void {
  const { series, funnelsFilter: filter } = query
  const type = filter?.funnelVizType ?? 'steps'
  if (type === 'steps') return
  const { from, to } = comparedSteps(query)
  if (!(from >= 0 && from < to && to < series.length)) {
    throw invalid(
      'query',
      `funnelsFilter.funnelFromStep and funnelToStep are numbers of steps from 0 to ${series.length - 1}, the first one smaller.`,
    )
  }
  if (series[from]!.optionalInFunnel || series[to]!.optionalInFunnel) {
    throw invalid('query', 'funnelsFilter.funnelFromStep and funnelToStep must not be optional steps.')
  }
  if (type === 'time_to_convert' && filter?.funnelOrderType === 'unordered') {
    throw invalid(
      'query',
      "funnelVizType 'time_to_convert' needs the funnelOrderType 'ordered' or 'strict': without order, steps have no times.",
    )
  }
  if (type === 'time_to_convert' && hasBreakdown(query)) {
    throw invalid('query', "breakdownFilter is not supported with the funnelVizType 'time_to_convert'.")
  }
}

/** The step whose event has the breakdown values of an attempt, or null with another attribution. Cohorts have none. */
export const attributionStep = ({
  funnelsFilter: filter,
  breakdownFilter,
}: Pick<FunnelsQuery, 'funnelsFilter' | 'breakdownFilter'>): number | null =>
  filter?.breakdownAttributionType === 'step' &&
  hasBreakdown({ breakdownFilter }) &&
  !isByCohort(breakdownFilter)
    ? (filter.breakdownAttributionValue ?? -1)
    : null

function requireAttribution(query: FunnelsQuery): void {
  const { series, funnelsFilter: filter } = query
  const step = attributionStep(query)
  if (step === null) return
  const last = filter?.funnelOrderType === 'unordered' ? 0 : series.length - 1
  if (!(step >= 0 && step <= last)) {
    throw invalid(
      'query',
      last === 0
        ? "funnelsFilter.breakdownAttributionValue is 0 with the funnelOrderType 'unordered': only the first step has a place."
        : `funnelsFilter.breakdownAttributionValue is the number of a step from 0 to ${last} with the breakdownAttributionType 'step'.`,
    )
  }
  if (series[step]!.optionalInFunnel)
    throw invalid('query', 'funnelsFilter.breakdownAttributionValue must not be an optional step.')
}

const hasBreakdown = ({ breakdownFilter: filter }: Pick<FunnelsQuery, 'breakdownFilter'>) =>
  isByCohort(filter) || writtenBreakdowns(filter).length > 0
