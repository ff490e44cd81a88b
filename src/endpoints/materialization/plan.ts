// How a version is materialized: the query whose rows are kept, and the one that reads them, ready to be run.
import { ApiError } from '../../errors'
import type { HogqlQuery, InsightQuery } from '../query/shape'
import { planHogql } from './plan-hogql'
import { planInsight } from './plan-insight'
import type { Materializable, Place, Planned } from './plan-shape'

/** The plan of a version, or why there is none. Whatever in a query does not compile is such a reason. */
export async function planMaterialization(place: Place, subject: Materializable): Promise<Planned> {
  try {
    return subject.query.kind === 'HogQLQuery'
      ? await planHogql(place, subject, subject.query as HogqlQuery)
      : await planInsight(place, subject, subject.query as InsightQuery)
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return { reason: error.detail }
    throw error
  }
}
