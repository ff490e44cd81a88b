// The body and the record of the preview of a materialization.
import * as z from 'zod'
import { strictBody } from '../../http/body/strict-body'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { integer } from '../../http/fields'
import { versionParameter } from '../endpoint-example'

export const PreviewBody = strictBody({
  version: integer().optional(),
  bucket_overrides: z.record(z.string(), z.string()).nullish(),
}).meta({ id: 'PreviewMaterialization' })

export const PreviewBodyDocs = (): SchemaDocs => ({
  description: 'What to preview. Every field is optional.',
  fields: {
    version: versionParameter(),
    bucket_overrides:
      'By column, the unit for rounding the bounds of range variables: `minute`, `fifteen_minutes`, `hour`, `day`, `week` or `month`. Default: that of the version.',
  },
  example: { bucket_overrides: { timestamp: 'hour' } },
})

export const BuildCost = z.object({
  rows_read: z.int().nullable(),
  seconds: z.number().nullable(),
  builds_per_day: z.number(),
  rows_left: z.int(),
  bytes_left: z.int(),
  last_build: z.object({ rows: z.int(), bytes: z.int(), seconds: z.number() }).nullable(),
})
export type BuildCost = z.output<typeof BuildCost>

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
    cost: BuildCost.nullable(),
  })
  .meta({ id: 'MaterializationPreview' })
export type PreviewResult = z.output<typeof PreviewResult>

export const PreviewResultDocs = (): SchemaDocs => ({
  description:
    'The rows that would be materialized, and how runs would read them. The example is of `SELECT event, count() AS total FROM events WHERE timestamp >= {variables.since} GROUP BY event ORDER BY total DESC`.',
  fields: {
    can_materialize: 'Whether the query can be materialized. If not, only `reason` is set.',
    reason: 'Why it cannot be materialized; null when it can.',
    transformed_query:
      'HogQL that computes the rows to store, with a column for each variable. Null where the query cannot be materialized.',
    execution_query:
      "HogQL that a run reads them with; variables of a `HogQLQuery` are written as texts, `'{variables.code_name}'`. Null where the query cannot be materialized.",
    display_execution_query: 'The same, with the name of the endpoint in place of the table.',
    range_pairs:
      'Columns that the rows have by periods. A run whose bounds begin none runs the query itself.',
    'range_pairs.column': 'The column, its path joined with dots.',
    'range_pairs.variables': 'Code names of the variables that bound it.',
    'range_pairs.bucket_fn': 'The function that rounds it.',
    aggregates: 'Columns of the result that aggregate. Empty for a query without variables.',
    'aggregates.expression': 'The column: its alias, else the text of its expression.',
    'aggregates.reaggregate_fn':
      'The function that aggregates stored values again; null where they are only read.',
    cost: 'What the materialization costs; null where the query cannot be materialized, or the shard does not respond.',
    'cost.rows_read': 'Rows that a build reads at most; null on ClickHouse.',
    'cost.seconds': 'How long a build takes at most; null on ClickHouse.',
    'cost.builds_per_day': 'By the age that results may have.',
    'cost.rows_left': 'Rows that a build may store.',
    'cost.bytes_left':
      'Bytes that a build may store: less where other versions of the organization use its quota.',
    'cost.last_build': 'What the last build stored and how long it took; null without a complete one.',
    'cost.last_build.rows': 'Stored rows.',
    'cost.last_build.bytes': 'Bytes of their values.',
    'cost.last_build.seconds': 'From its start to its end.',
  },
  example: {
    can_materialize: true,
    transformed_query:
      'SELECT event, count() AS total, toStartOfHour(timestamp) AS since FROM events GROUP BY event, toStartOfHour(timestamp) ORDER BY total DESC',
    execution_query:
      "SELECT event, sum(total) AS total FROM `top-events_v1` WHERE since >= toStartOfHour(toDateTime('{variables.since}')) GROUP BY event ORDER BY total DESC",
    display_execution_query:
      "SELECT event, sum(total) AS total FROM `top-events` WHERE since >= toStartOfHour(toDateTime('{variables.since}')) GROUP BY event ORDER BY total DESC",
    range_pairs: [{ column: 'timestamp', variables: ['since'], bucket_fn: 'toStartOfHour' }],
    aggregates: [{ expression: 'total', reaggregate_fn: 'sum' }],
    cost: {
      rows_read: 120_000,
      seconds: 0.4,
      builds_per_day: 1,
      rows_left: 10_000_000,
      bytes_left: 100_000_000,
    },
  },
})
