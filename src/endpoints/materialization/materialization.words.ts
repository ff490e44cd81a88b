// What the reference says of materialization: its state, previews of it, and queries that are rewritten for it.
import type { Words } from '../../docs/words'
import { inPath, NAME, versionInQuery } from '../example.words'
import { conditionsSource } from './analysis/rules'
import { REWRITE_CONTRACT } from './contract'

const VERSION = 'Number of a version, from 1. Default: the current one.'
const REASON = 'Variables not supported: Variables in OR conditions are not supported for materialization'

export const materializationWords: Words = {
  schemas: {
    EndpointMaterialization: {
      is: 'Whether the rows of a version are kept in a table, whether they could be, and how the last build went.',
      fields: {
        name: 'Name of the endpoint.',
        enabled: 'Whether the rows are kept: built in the background, and again whenever they are too old.',
        ready: 'Whether there are rows that a run can be answered from. They stay while a later build fails.',
        hibernated:
          'Whether the rows were given up because no key had run the version for 30 days. The next run by a key has them built again.',
        can_materialize: 'Whether the query can be materialized.',
        reason: 'Why the query cannot be materialized; null when it can. Only where `enabled` is false.',
        status: 'How the last build of the rows stands. Only where `enabled` is true.',
        last_materialized_at:
          'The moment that the rows are of (ISO 8601, UTC); null before the first build is done. Only where `enabled` is true.',
        error: 'Why the last build failed; empty when it did not. Only where `enabled` is true.',
        saved_query_id:
          'Id of the materialization, as the activity log has it. Only where `enabled` is true.',
      },
      example: {
        name: NAME,
        enabled: true,
        ready: true,
        hibernated: false,
        can_materialize: true,
        status: 'Completed',
        last_materialized_at: '2026-04-02T09:50:00.603000+00:00',
        error: '',
        saved_query_id: '019d4d99-8540-734f-b0f4-c305d04e25b6',
      },
    },
    PreviewMaterialization: {
      is: 'What to preview. Everything may be left out.',
      fields: {
        version: VERSION,
        bucket_overrides:
          'To what the moments that range variables bound would be rounded, by column: `minute`, `fifteen_minutes`, `hour`, `day`, `week` or `month`. Default: as the version has it.',
      },
      example: { bucket_overrides: { timestamp: 'hour' } },
    },
    MaterializationPreview: {
      is: 'What would be kept of a query, and how runs would read it. The example is of `SELECT event, count() AS total FROM events WHERE timestamp >= {variables.since} GROUP BY event ORDER BY total DESC`.',
      fields: {
        can_materialize: 'Whether the query can be materialized. If not, there is a reason and nothing else.',
        reason: 'Why it cannot be materialized; null when it can.',
        transformed_query:
          'HogQL that gives the rows to keep, with a column for each variable. Null where the query cannot be materialized.',
        execution_query:
          "HogQL that a run reads them with; the variables of a `HogQLQuery` stand in it as texts, `'{variables.code_name}'`. Null where the query cannot be materialized.",
        display_execution_query: 'The same, with the name of the endpoint in place of the table.',
        range_pairs:
          'Columns whose moments are rounded down, those of the rows and those that a run asks about.',
        'range_pairs.column': 'The column, its path joined with dots.',
        'range_pairs.variables': 'Code names of the variables that bound it.',
        'range_pairs.bucket_fn': 'The function that rounds it.',
        aggregates: 'Columns of the result that aggregate. Empty for a query without variables.',
        'aggregates.expression': 'The column: its alias, else the text of its expression.',
        'aggregates.reaggregate_fn':
          'The function that puts kept values together; null where there is none, and values are only read.',
      },
      example: {
        can_materialize: true,
        reason: null,
        transformed_query:
          'SELECT event, count() AS total, toStartOfHour(timestamp) AS since FROM events GROUP BY event, toStartOfHour(timestamp) ORDER BY total DESC',
        execution_query:
          "SELECT event, sum(total) AS total FROM `top-events_v1` WHERE since >= toStartOfHour(toDateTime('{variables.since}')) GROUP BY event ORDER BY total DESC",
        display_execution_query:
          "SELECT event, sum(total) AS total FROM `top-events` WHERE since >= toStartOfHour(toDateTime('{variables.since}')) GROUP BY event ORDER BY total DESC",
        range_pairs: [{ column: 'timestamp', variables: ['since'], bucket_fn: 'toStartOfHour' }],
        aggregates: [{ expression: 'total', reaggregate_fn: 'sum' }],
      },
    },
    MaterializationConditions: {
      is: 'What decides whether a query can be materialized, for whoever rewrites one.',
      fields: {
        conditions_source: 'The rules that the checks go through, in their order, as text.',
        rewrite_contract: 'What another form of a query has to keep, as text.',
      },
      example: { conditions_source: conditionsSource(), rewrite_contract: REWRITE_CONTRACT },
    },
    EndpointsMaterializationSuggestionCreateBody: {
      is: 'Which query to rewrite. May be empty.',
      fields: { version: `${VERSION} Null means the same.` },
      example: {},
    },
    MaterializationSuggestion: {
      is: 'What the model made of the query. Nothing is saved: send the query as an update to use it.',
      fields: {
        suggestion_status:
          '`ok`: the suggestion passes the checks. `cannot_fix`: the model knows of none. `invalid`: none passed, and this is the last. `model_error`: the model gave none.',
        suggested_query: 'Another form of the query, in HogQL; null where there is none.',
        explanation:
          'What was changed, or why nothing can be, in the words of the model; null where it says nothing.',
        attempts: 'How often the model was asked, three times at most.',
        error: 'Why the last suggestion does not pass, or why there is none; null when nothing is wrong.',
        original_reason: 'Why the query as it is cannot be materialized.',
      },
      example: {
        suggestion_status: 'cannot_fix',
        suggested_query: null,
        explanation:
          'The rows depend on both sides of the OR, so no single column could stand for the variable.',
        attempts: 1,
        error: null,
        original_reason: REASON,
      },
    },
  },
  operations: {
    endpoints_materialization_preview_create: { parameters: { name: inPath } },
    endpoints_materialization_suggestion_create: { parameters: { name: inPath } },
    endpoints_materialization_status_retrieve: { parameters: { name: inPath, version: versionInQuery } },
  },
}
