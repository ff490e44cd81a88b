// What the reference says of running endpoints, and of the log of runs.
import type { ParameterWords, Words } from '../../docs/words'
import {
  CREATED_AT_WITH_OFFSET,
  ENDPOINT_ID,
  inPath,
  NAME,
  QUERY_TEXT,
  RUN_AT,
  RUN_ID,
} from '../example.words'

const VERSION = 'Number of the version to run, from 1. Default: the current one.'
const LIMIT =
  'Rows to give at most, from 1; never more than 50,000, nor than the LIMIT of the query. Left out, the LIMIT of the query counts, or 100 where it has none. Refused for insights.'
const OFFSET = 'Rows to skip before the first, from 0. Default 0. Needs `limit`; refused for insights.'

const runParameters: Record<string, ParameterWords> = {
  name: inPath,
  version: VERSION,
  limit: LIMIT,
  offset: OFFSET,
}
const unlessInBody = (words: string) => `${words} What the body says comes first.`

const ONLY_WITH_DEBUG = 'Only with `debug`'

export const runWords: Words = {
  schemas: {
    RunEndpoint: {
      is: 'How to run an endpoint. Everything may be left out; a field that is not listed here is refused.',
      fields: {
        client_query_id:
          "The caller's name for this run. ClickHouse's log of queries has its first 200 characters; without ClickHouse it has no effect.",
        debug: 'True adds how the answer came about: `hogql`, `cache_key`, `timings`. Default false.',
        filters_override:
          'Deprecated: use `variables`. For insights only: another range of dates and further filters, for this run.',
        'filters_override.date_from':
          'Start of the range: a date, or a distance from now such as `-7d`. Null: that of the query.',
        'filters_override.date_to':
          'End of the range: a date, or a distance from now such as `-1d`. Null: that of the query.',
        'filters_override.properties':
          'Property filters that have to hold besides those of the query, such as `{"key": "plan", "type": "event", "operator": "exact", "value": "pro"}`.',
        limit: LIMIT,
        offset: OFFSET,
        refresh:
          '`cache` gives an earlier answer that is fresh enough, `force` computes a new one, `direct` also passes over materialized rows and is only for versions that have some. Default `cache`.',
        variables:
          'Values by code name of the variable; one that is left out has the value that the query holds, else the default of the variable. For insights: by breakdown property, and `date_from` and `date_to`. Materialized rows need all of them.',
        version: VERSION,
      },
      example: { limit: 2, refresh: 'force' },
    },
    EndpointRun: {
      is: 'The answer of an endpoint, where it came from, and how fresh it is.',
      fields: {
        results:
          "Rows, each a list of values in the order of `columns`. For insights their own result: a list of series, of steps or of a table's rows.",
        columns: 'Names of the columns. Not for insights.',
        types: 'Name and ClickHouse type of each column, in order. Not for insights.',
        hasMore:
          'Whether there are rows after these. Always false without `limit`; `metadata` says where rows past 50,000 were cut off.',
        limit: 'The `limit` of the request, 50,000 at most. Only where one was sent, and not for insights.',
        offset: 'The `offset` of the request, or 0. Only with `limit`.',
        is_cached: 'Whether this is an earlier answer, given again.',
        last_refresh: 'When the rows were computed (ISO 8601, UTC, microseconds).',
        next_allowed_client_refresh: 'The same as `cache_target_age`.',
        cache_target_age:
          'Until when the same request may be given the same answer (ISO 8601, UTC, microseconds).',
        timezone: 'Time zone of the project, by its IANA name: what dates in the query mean.',
        error: 'Always null: a run that fails answers with an error.',
        query: 'The SQL that was run, as it was written; null for insights.',
        clickhouse: 'Always null.',
        metadata: 'Warnings; null when there are none.',
        'metadata.warnings': 'What to know of the result.',
        'metadata.warnings.message': 'The warning, for people, in English.',
        query_status: 'Always null: runs do not go on in the background.',
        calculation_trigger: `${ONLY_WITH_DEBUG}. Always null.`,
        cache_key: `${ONLY_WITH_DEBUG}: under which the answer is kept, a digest of the request.`,
        explain: `${ONLY_WITH_DEBUG}. Always null.`,
        modifiers: `${ONLY_WITH_DEBUG}. Always null.`,
        resolved_date_range: `${ONLY_WITH_DEBUG}. Always null.`,
        timings: `${ONLY_WITH_DEBUG}: how long the parts of the run took.`,
        'timings.k': 'The part.',
        'timings.t': 'Its duration, in seconds.',
        hogql: `${ONLY_WITH_DEBUG}: the same as \`query\`.`,
        name: 'Name of the endpoint.',
        execution_id: 'Id of this run. The line in the log has it as `instance_id`.',
        endpoint_version: 'Number of the version that was run.',
        endpoint_version_created_at: 'When that version was made (ISO 8601, UTC).',
        endpoint_materialized: 'True where materialized rows answered; left out otherwise.',
        endpoint_materialized_at:
          'The moment that the materialized rows are of (ISO 8601, UTC). Only where they answered.',
      },
      example: {
        results: [
          ['$pageview', 1204],
          ['$feature_flag_called', 871],
        ],
        columns: ['event', 'total'],
        types: [
          ['event', 'String'],
          ['total', 'Int64'],
        ],
        hasMore: true,
        limit: 2,
        offset: 0,
        is_cached: false,
        last_refresh: RUN_AT,
        next_allowed_client_refresh: '2026-04-03T09:31:12.846000Z',
        cache_target_age: '2026-04-03T09:31:12.846000Z',
        timezone: 'UTC',
        error: null,
        query: QUERY_TEXT,
        clickhouse: null,
        metadata: null,
        query_status: null,
        name: NAME,
        execution_id: RUN_ID,
        endpoint_version: 1,
        endpoint_version_created_at: CREATED_AT_WITH_OFFSET,
      },
    },
    NoSuchVersion: {
      is: 'The endpoint is there, but not at this version.',
      fields: {
        error: 'What is missing, for people, in English.',
        current_version: 'Number of the version that the endpoint is at. Only where a version was asked for.',
      },
      example: { error: "Version 9 not found for endpoint 'top-events'", current_version: 1 },
    },
    EndpointLogLine: {
      is: 'A run, whether it gave rows or not. Values of variables are never in the log.',
      fields: {
        log_source_id: 'Id of the endpoint.',
        instance_id: 'Id of the run: its `execution_id`.',
        timestamp: 'When the run began (ISO 8601, UTC, microseconds).',
        level: '`INFO` for a run that gave rows, `ERROR` for one that did not. The others do not occur.',
        message:
          'How the run went, as `key=value`: `path` (`inline`, `materialized` or `materialized_fallback`), `cache` (`hit` or `miss`), `duration_ms`, `rows`, `version`, and `error` for one that failed.',
      },
      example: {
        log_source_id: ENDPOINT_ID,
        instance_id: RUN_ID,
        timestamp: RUN_AT,
        level: 'INFO',
        message: 'Endpoint executed · path=inline cache=miss duration_ms=3 rows=2 version=1',
      },
    },
  },
  operations: {
    endpoints_run_create: {
      parameters: {
        name: inPath,
        version: unlessInBody(VERSION),
        limit: unlessInBody(LIMIT),
        offset: unlessInBody(OFFSET),
      },
    },
    endpoints_run_retrieve: { parameters: runParameters },
    endpoints_logs_retrieve: {
      parameters: {
        name: inPath,
        limit: 'Lines a page, from 1 to 500. Default 50.',
        after: 'Only lines later than this moment (ISO 8601; UTC where it has no offset).',
        before: 'Only lines earlier than this moment (ISO 8601; UTC where it has no offset).',
        level: {
          is: 'Only lines of these levels: of DEBUG, LOG, INFO, WARN and ERROR, separated by commas, in any case. Left out, all are given.',
          example: 'INFO,ERROR',
        },
        search: 'Only lines whose message contains this text, whatever the case.',
        instance_id: 'Only the line of the run with this `execution_id`.',
      },
    },
  },
}
