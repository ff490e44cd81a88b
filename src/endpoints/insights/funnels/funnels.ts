// Funnels: how many actors take one step after the other within the conversion window.
import type { FunnelsQuery } from '../../query/query-types'
import { spanOf, timesOf } from '../date-range'
import type { InsightKind } from '../insight-kind'
import { list, type TextContext } from '../text-parts'
import { intervalOf } from '../trends/trends-text'
import { addActors, stepsOf } from './attempts'
import { span } from './funnel-steps'
import { funnelTrendsResult, funnelTrendsText } from './funnel-trends'
import { funnelResult } from './funnels-result'
import { requireFunnel } from './requirements'
import { timeToConvertResult, timeToConvertText } from './time-to-convert'

const TEXTS = { steps: funnelText, time_to_convert: timeToConvertText, trends: funnelTrendsText }

const typeOf = ({ funnelsFilter }: FunnelsQuery) => funnelsFilter?.funnelVizType ?? 'steps'

export const funnelsKind: InsightKind<FunnelsQuery> = {
  text(query, context) {
    requireFunnel(query)
    return TEXTS[typeOf(query)](query, context)
  },
  times: (query, context) => timesOf({ current: spanOf(query.dateRange, intervalOf(query), context) }),
  result(query, rows, context) {
    switch (typeOf(query)) {
      case 'time_to_convert':
        return { results: timeToConvertResult(query, rows) }
      case 'trends':
        return { results: funnelTrendsResult(query, rows, context) }
      default:
        return { results: funnelResult(query, rows) }
    }
  },
}

/**
 * Returns HogQL with the columns breakdowns, number of actors that reached each step, then for each step after the first the average and
 * median seconds since the required step before. As upstream, these leave out who took both steps at the same time.
 */
function funnelText(query: FunnelsQuery, context: TextContext): string {
  const { stages } = context
  const steps = stepsOf(query)
  const later = span(1, steps.count)
  const isReached = (step: number) => (steps.isOptional(step) ? `done_${step} = 1` : `steps > ${step}`)
  const actors = addActors(query, steps, context)
  const all = span(0, steps.count)
  // There is a row for each step of an actor, so that one window sorts the times of all steps. A median per step would need a window
  // each.
  const taken = stages.add(
    `SELECT ${list(steps.breakdowns, 'pair.1 AS step', 'pair.2 AS reached', 'pair.3 AS took')} FROM ${actors}
    ARRAY JOIN [${all.map((step) => `(${step}, if(${isReached(step)}, 1, 0), ${step === 0 ? 'NULL' : `nullIf(took_${step}, 0)`})`).join(', ')}] AS pair`,
  )
  const measured = stages.add(
    `SELECT ${list(steps.breakdowns, 'step', 'sum(reached) AS actors', 'avg(took) / 1000 AS average', 'median(took) / 1000 AS middle')} FROM ${taken}
    GROUP BY ${list(steps.breakdowns, 'step')}`,
  )
  const ofStep = (name: string) => (step: number) => `maxIf(${name}, step = ${step}) AS ${name}_${step}`
  return `SELECT ${list(
    steps.breakdowns,
    all.map(ofStep('actors')),
    later.map(ofStep('average')),
    later.map(ofStep('middle')),
  )} FROM ${measured}${steps.breakdowns.length ? ` GROUP BY ${list(steps.breakdowns)}` : ''}`
}
