import { invalid, notFoundInWords } from '../../errors'
import { requireKnown } from '../values/choose-values'
import { isDirectAllowed, type MaterializedRead, requireGiven } from './materialized-read'
import type { RunnableEndpoint, RunnableVersion } from './find-runnable'
import type { QueryKind } from './query-kind'
import type { RunRequest } from './run-request'

/** @throws 404 `{error}` for a missing version, 400 for an inactive one */
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
 * @param materialized the rows that the run reads
 * @throws 400 for settings that the kind does not support, unknown variables, and missing required ones
 */
export function requireAcceptable(
  request: RunRequest,
  kind: QueryKind,
  { materialization }: Pick<RunnableVersion, 'materialization'>,
  materialized: MaterializedRead | null,
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
  if (materialized) requireGiven(materialized)
}
