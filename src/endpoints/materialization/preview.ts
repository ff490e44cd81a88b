// What materializing a version would come to, without doing it (reference/endpoints-api.md §5.8).
import * as z from 'zod'
import { dialectOf } from '../../analytics/engine'
import { integer } from '../../http/fields'
import { checkBuckets } from '../checks'
import type { EndpointContext } from '../context'
import { findEndpoint } from '../find'
import { strictBody } from '../strict-body'

export const PreviewBody = strictBody({
  version: integer().optional(),
  bucket_overrides: z.record(z.string(), z.string()).nullish(),
}).meta({ id: 'PreviewMaterialization' })

export const PreviewResult = z
  .object({
    can_materialize: z.boolean(),
    reason: z.string().nullable(),
    transformed_query: z.string().nullable(),
    execution_query: z.string().nullable(),
    display_execution_query: z.string().nullable(),
    range_pairs: z.array(
      z.object({ column: z.string(), variables: z.array(z.string()), bucket_fn: z.string() }),
    ),
    aggregates: z.array(z.object({ expression: z.string(), reaggregate_fn: z.string().nullable() })),
  })
  .meta({ id: 'MaterializationPreview' })

/**
 * Previews a version's materialization.
 * @throws 404 as `findEndpoint` does; 400 for a bucket that there is not.
 */
export async function previewMaterialization(
  { deps, project }: EndpointContext,
  name: string,
  { version, bucket_overrides: overrides }: z.output<typeof PreviewBody>,
): Promise<z.input<typeof PreviewResult>> {
  const row = await findEndpoint({ deps, project }, name, version)
  checkBuckets(overrides)
  const [{ planMaterialization }, { NO_PREVIEW }] = await Promise.all([
    import('./plan'),
    import('./analysis/preview'),
  ])
  const planned = await planMaterialization(
    { deps, project, dialect: dialectOf(project.store) },
    { ...row, bucketOverrides: overrides ?? row.bucketOverrides },
  )
  return planned.reason === null
    ? { can_materialize: true, reason: null, ...planned.preview }
    : { can_materialize: false, reason: planned.reason, ...NO_PREVIEW }
}
