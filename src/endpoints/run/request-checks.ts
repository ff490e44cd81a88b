import { invalid, notFoundInWords } from '../../errors'
import { requireKnown } from '../values/choose-values'
import { isDirectAllowed, type KeptRows, requireGiven } from './materialized-read'
import type { RunnableEndpoint, RunnableVersion } from './find-runnable'
import type { Kind } from './query-kind'
import type { RunRequest } from './run-request'

/**
 * The version that runs.
 * @throws 404 `{error}` when there is none, 400 when it is inactive.
 */
export function requireVersion(
  { name, currentVersion, version }: RunnableEndpoint,
  wanted: number | null,
): RunnableVersion {
  if (!version) {
    throw wanted === null
      ? notFoundInWords('No version found for this endpoint')
      : notFoundInWords(`Version ${wanted} not found for endpoint '${name}'`, {
          current_version: currentVersion,
        })
  }
  if (!version.isActive) {
    throw invalid(null, `Version ${version.version} is inactive and cannot be executed.`)
  }
  return version
}

/**
 * @param kept the rows that answer the run.
 * @throws 400 for what a query of this kind does not take, for variables that it does not have, and for those that the rows need.
 */
export function requireAcceptable(
  request: RunRequest,
  kind: Kind,
  { materialization }: Pick<RunnableVersion, 'materialization'>,
  kept: KeptRows | null,
): void {
  const { filtersOverride, offset, refresh, variables } = request
  if (filtersOverride !== null && kind.isHogql) {
    throw invalid('filters_override', 'Not allowed for HogQL endpoints. Use variables instead.')
  }
  if (offset !== null && !kind.isHogql) {
    throw invalid('offset', 'offset is only supported for HogQL endpoints')
  }
  if (refresh === 'direct' && !isDirectAllowed(materialization)) {
    throw invalid(
      'refresh',
      "'direct' refresh mode is only valid for materialized endpoints. " +
        "Use 'cache' or 'force' instead, or enable materialization on this endpoint.",
    )
  }
  requireKnown(variables, kind.variables)
  if (kept) requireGiven(kept)
}
