// What materializing a version would come to, without doing it (reference/endpoints-api.md §5.8).
import * as z from 'zod'
import { engineOf } from '../../analytics/engine'
import { integer } from '../../http/fields'
import { checkBuckets } from '../checks'
import type { EndpointContext } from '../context'
import { findEndpoint } from '../find'

export const PreviewBody = z
  .object({
    version: integer().optional().describe('Number of a version. Default: the current one.'),
    bucket_overrides: z
      .record(z.string(), z.string())
      .nullish()
      .describe(
        'By column: minute, fifteen_minutes, hour, day, week or month. Default: those of the version.',
      ),
  })
  .meta({ id: 'PreviewMaterialization', examples: [{ bucket_overrides: { timestamp: 'hour' } }] })

export const PreviewResult = z
  .object({
    can_materialize: z.boolean(),
    reason: z.string().nullable().describe('Why it cannot be materialized; null when it can.'),
    transformed_query: z.string().nullable().describe('Gives the rows that would be kept.'),
    execution_query: z
      .string()
      .nullable()
      .describe('How a run would read them. Placeholders stand in it as texts.'),
    display_execution_query: z.string().nullable().describe('The same with the name of the endpoint.'),
    range_pairs: z
      .array(z.object({ column: z.string(), variables: z.array(z.string()), bucket_fn: z.string() }))
      .describe('Columns whose bounds are rounded down, and by which function.'),
    aggregates: z
      .array(z.object({ expression: z.string(), reaggregate_fn: z.string().nullable() }))
      .describe(
        'Columns that aggregate, and what puts their kept values together. Of queries with variables.',
      ),
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
    { deps, project, dialect: engineOf(deps).dialect },
    { ...row, bucketOverrides: overrides ?? row.bucketOverrides },
  )
  return planned.reason === null
    ? { can_materialize: true, reason: null, ...planned.preview }
    : { can_materialize: false, reason: planned.reason, ...NO_PREVIEW }
}
