// Funnels as HogQL: how many actors reached each step within the conversion window.
import type { FunnelsQuery } from '../../query/query-types'
import { createFragments, createStages, type InsightText, list } from '../text-parts'
import { addActors, stepsOf } from './attempts'
import { span } from './funnel-steps'

/**
 * Columns: breakdowns, number of actors that reached each step, then for each step after the first the average and median seconds since the
 * required one before.
 */
export function funnelText(query: FunnelsQuery): InsightText {
  const fragments = createFragments()
  const stages = createStages()
  const steps = stepsOf(query)
  const later = span(1, steps.count)
  const isReached = (step: number) => (steps.isOptional(step) ? `done_${step} = 1` : `steps > ${step}`)
  const actors = addActors(query, steps, { stages, fragments })
  return {
    sql: `${stages.text()} SELECT ${list(
      steps.breakdowns,
      span(0, steps.count).map((step) => `countIf(${isReached(step)}) AS reached_${step}`),
      later.map((step) => `avg(took_${step}) AS average_${step}`),
      later.map((step) => `median(took_${step}) AS median_${step}`),
    )} FROM ${actors}${steps.breakdowns.length ? ` GROUP BY ${list(steps.breakdowns)}` : ''}`,
    variables: { date_from: 'Date', date_to: 'Date' },
    fragments: fragments.all,
  }
}
