// Whether a version's query could be materialized: found out when it is written, and kept beside it.
import { dialectOf } from '../../analytics/engine'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { ApiError, apiErrorIn, invalid } from '../../errors'
import type { TextWorld } from '../compile/compile-text'
import { COMPILER_VERSION } from '../compile/compiled-version'
import type { Materializable } from './plan-rows'
import type { Eligibility } from './stored-plan'

export interface Checked {
  eligibility: Eligibility
  /** What went wrong with the check itself; null when nothing did. */
  fault: unknown
}

/**
 * Checks a query. That the check fails is a reason like any other: nothing else depends on it.
 * @param world what the query has to know of the project, where that was read already.
 * @throws 503 when a database does not answer: that says nothing of the query, and must not be stored as its reason.
 */
export async function checkEligibility(
  { deps, project }: { deps: Deps; project: Pick<Project, 'id' | 'timezone' | 'store'> },
  candidate: Materializable,
  world?: TextWorld,
): Promise<Checked> {
  try {
    // The compiler is large; most isolates never need it.
    const { planMaterialization } = await import('./plan-materialization')
    const dialect = dialectOf(project.store)
    const place = { deps, project, dialect, ...(world ? { world } : {}) }
    const { reason } = await planMaterialization(place, candidate)
    return { eligibility: { compiler: COMPILER_VERSION, reason }, fault: null }
  } catch (error) {
    if (apiErrorIn(error)?.status === 503) throw error
    return {
      eligibility: { compiler: COMPILER_VERSION, reason: 'The query could not be checked.' },
      fault: error,
    }
  }
}

/** What is said of a version that cannot be materialized; null of one that can. */
export function refusalOf({ eligibility: { reason }, fault }: Checked): ApiError | null {
  if (fault !== null) {
    return new ApiError({
      status: 500,
      type: 'server_error',
      code: 'error',
      detail: 'Failed to enable materialization.',
      cause: fault,
    })
  }
  return reason === null ? null : invalid(null, `Cannot materialize endpoint. Reason: ${reason}`)
}
