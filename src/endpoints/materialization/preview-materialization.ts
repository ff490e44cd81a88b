// Previews the materialization of a version (docs/reference/endpoints.md#which-queries-can-be-materialized).
import type * as z from 'zod'
import { dialectOf } from '../../analytics/engine/select-engine'
import { settleWithin } from '../../deadline'
import type { EndpointContext } from '../context'
import { checkBuckets } from '../field-checks'
import { findEndpoint } from '../find-endpoint'
import type { PreviewBody, PreviewResult } from './preview-schema'

/** The time that the preview waits for the cost. Without an answer it leaves the cost out. */
const COST_DEADLINE_MS = 1_000

/** @throws 404 as `findEndpoint` does; 400 for an invalid bucket */
export async function previewMaterialization(
  { deps, project }: EndpointContext,
  name: string,
  { version, bucket_overrides: overrides }: z.output<typeof PreviewBody>,
): Promise<PreviewResult> {
  const row = await findEndpoint({ deps, project }, name, version)
  checkBuckets(overrides)
  const [{ compileMaterialization }, { NO_PREVIEW }, { costOfBuilds }] = await Promise.all([
    import('./compile-materialization'),
    import('./analysis/preview-texts'),
    import('./build-cost'),
  ])
  const compiled = await compileMaterialization(
    { deps, project, dialect: dialectOf(project.store) },
    { ...row, bucketOverrides: overrides ?? row.bucketOverrides },
  )
  if (compiled.reason !== null)
    return { can_materialize: false, reason: compiled.reason, ...NO_PREVIEW, cost: null }
  const cost = await settleWithin(costOfBuilds({ deps, project }, row, compiled.rows.write), COST_DEADLINE_MS)
  return { can_materialize: true, reason: null, ...compiled.preview, cost }
}
