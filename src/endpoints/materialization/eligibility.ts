// Whether a version's query can be materialized: checked when it is written, and stored with it.
import { dialectOf } from '../../analytics/engine/select-engine'
import type { Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { ApiError, apiErrorIn, invalid } from '../../errors'
import type { TextFacts } from '../compile/compile-text'
import { COMPILER_VERSION } from '../compile/compiled-version'
import type { Materializable } from './compile-rows'
import type { Eligibility } from './compiled-read'

export interface Checked {
  eligibility: Eligibility
  /** The error of the check itself, or null. */
  fault: unknown
}

/**
 * Checks a query. When the check itself fails, its error is a reason like any other.
 * @param facts of the project, if already read
 * @throws 503 when a database does not respond, because that must not be stored as a reason
 */
export async function checkEligibility(
  { deps, project }: { deps: Deps; project: Pick<Project, 'id' | 'timezone' | 'store'> },
  candidate: Materializable,
  facts?: TextFacts,
): Promise<Checked> {
  try {
    // The compiler is loaded on demand, because most isolates do not need it.
    const { compileMaterialization } = await import('./compile-materialization')
    const dialect = dialectOf(project.store)
    const context = { deps, project, dialect, ...(facts ? { facts } : {}) }
    const { reason } = await compileMaterialization(context, candidate)
    return { eligibility: { compiler: COMPILER_VERSION, reason }, fault: null }
  } catch (error) {
    if (apiErrorIn(error)?.status === 503) throw error
    return {
      eligibility: { compiler: COMPILER_VERSION, reason: 'The query could not be checked.' },
      fault: error,
    }
  }
}

/** Returns null for a query that can be materialized. */
export function rejectionOf({ eligibility: { reason }, fault }: Checked): ApiError | null {
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
