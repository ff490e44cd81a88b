// What differs about saved queries as records: making, changing, running, materializing them. Their language is in queries.ts.
import type { Difference, Differences } from './difference'

const HISTORY: Difference = {
  what: 'What was changed is in the activity log, and no operation lists it.',
  why: 'Not built.',
}

const UNKNOWN_FIELDS: Difference = {
  what: 'A field of the body that is not known is a 400. Upstream passes over it.',
  why: 'The bodies of all saved-query operations are held to this; a misspelt `version` would mean the current one.',
}

export const endpoints: Partial<Differences> = {
  operations: {
    endpoints_list: [
      {
        what: 'Newest first. Upstream promises no order.',
        why: 'Pages must not overlap.',
      },
      {
        what: '`ui_url` leads to the page of the endpoint on this service.',
        why: 'There is no application to lead to.',
      },
      {
        what: 'A `created_by` that is no integer is a 400, and so is an `is_active` that is no boolean.',
        why: 'It would list what was not asked for.',
      },
    ],
    endpoints_create: [
      {
        what: 'The names `last_execution_times`, `materialization_conditions` and `bulk_update_tags` are refused. Upstream makes such an endpoint, and cannot be asked for it again.',
        why: 'They are paths of other operations.',
      },
      {
        what: '`bucket_overrides` are checked as in an update. Upstream may crash over them.',
        why: 'A write that is refused says so.',
      },
      {
        what: 'A query is compiled for the engine that runs it: one that is refused here cannot be stored. Upstream stores what resolves, and may fail when it runs.',
        why: 'Whoever writes a query is there to mend it.',
      },
      {
        what: '`derived_from_insight` is kept as text, and refers to nothing.',
        why: 'There are no insights.',
      },
      HISTORY,
    ],
    endpoints_retrieve: [
      {
        what: '`status` in `materialization` is never `Cancelled`.',
        why: 'Nobody can cancel a build.',
      },
    ],
    endpoints_partial_update: [
      {
        what: 'A version that is inactive cannot be materialized: 400 on `is_materialized`, as of an inactive endpoint.',
        why: 'Nobody would run what is kept.',
      },
      {
        what: '`bucket_overrides` that are not sent stay, also where the materialization is applied anew.',
        why: 'It is not known what upstream does; fields that are left out stay.',
      },
      HISTORY,
    ],
    endpoints_run_retrieve: [
      {
        what: 'As `POST …/run/`, below.',
        why: 'It is the same.',
      },
    ],
    endpoints_run_create: [
      {
        what: 'A query has 10 seconds, 50,000 rows and 16 MB of answer. Upstream gives it 60 seconds. `query_estimated_too_slow` occurs on ClickHouse alone.',
        why: 'A shard works on one query at a time.',
      },
      {
        what: 'On D1 a query is refused before it runs when its estimated cost is above the limit: 400 `query_too_expensive`, or `invalid_input` when it is written and no data could make it cheaper. Heavy queries of a project run one after the other; a query that waits for 12 s gets 429, or 503 `query_capacity` when it waited for other projects.',
        why: 'D1 cannot stop a query that has begun.',
      },
      {
        what: 'A materialization whose build costs too much is paused, status `Failed`, until the version changes or `is_materialized: true` is sent again. Upstream tries again on schedule.',
        why: 'It would cost as much the next time.',
      },
      {
        what: 'A project may have 20 queries under way in each isolate (429 past that), materialized or not; one that finds no room has a line in the log. Upstream counts for all places, and materialized ones apart.',
        why: 'What is counted everywhere costs a call to one place.',
      },
      {
        what: '240 runs a minute are counted by each location, 2,400 an hour after the answer, in fixed windows: calls at the same moment can slip past. There is no sum for a team. Runs of what is not there count too: 429 comes before 404.',
        why: 'Counting costs no round trip that way.',
      },
      {
        what: 'Answers of more than 1 MB are not cached, and a project has 1,000 cached answers at most.',
        why: 'They are rows of the database.',
      },
      {
        what: '`clickhouse`, `query_status` and `error` are null, `metadata` is null but for a warning that rows were cut off; with `debug`, `hogql` is the text of the query, `cache_key` a digest of the request, `timings` has one entry, and the other debug keys are null. `client_query_id` is in ClickHouse’s log of queries (`log_comment`, 200 characters), and is no id there; on D1 it reaches nothing.',
        why: 'The engine is another one.',
      },
      {
        what: 'Codes of errors of the engine are its own: `query_too_complex`; on D1 `integer_overflow`, `invalid_json`, `pattern_too_complex`; on ClickHouse `invalid_value`, `invalid_argument`, `division_by_zero`, `invalid_pattern`, `invalid_regex`, and `query_engine_unavailable` (503).',
        why: 'They name what somebody can mend.',
      },
      {
        what: 'Takes personal API keys and sessions. The 403 `You do not have access to this endpoint.` does not occur.',
        why: 'Project secret keys, and access rules for single endpoints, are not built.',
      },
      {
        what: 'Where a materialized run leaves out an optional breakdown, counts and sums are added up, and minima and maxima taken. Of anything else (people, averages, percentiles, `math_hogql`, recurring retention) the query itself is run, and shows each value of the breakdown.',
        why: 'A materialized run says what the query says; what was kept does not tell people of several values apart.',
      },
      {
        what: 'Of `filters_override`, filters by a property of the query’s breakdowns stand in for its variable, and dates for `date_from` and `date_to`; other variables hold besides. Filters by `hogql` are refused, and on D1 `regex` and `not_regex`.',
        why: 'It is not known how upstream puts them together; text that a user wrote is compiled when a query is written.',
      },
      {
        what: 'A message in the log has 1,000 characters at most.',
        why: 'Names that a caller makes up stand in it.',
      },
    ],
    endpoints_versions_list: [
      {
        what: 'Of an endpoint the newest 100 versions are kept (`VERSION_RETENTION_COUNT`), and older ones that are materialized or that a key ran within 30 days. A version that was deleted is not found; `versions_count` counts it. Upstream keeps all.',
        why: 'Rows of the database are bounded.',
      },
    ],
    endpoints_logs_retrieve: [
      {
        what: 'Lines are kept for 30 days, and 10,000 of an endpoint. A code in `error=…` is this service’s.',
        why: 'They are rows of the database.',
      },
    ],
    endpoints_materialization_preview_create: [
      {
        what: 'SQL is written by this service’s own printer: the same query in other spacing and parentheses. Expressions of ranges in functions are never bucketed, as upstream.',
        why: 'The parser brings no printer along.',
      },
      {
        what: '`transformed_query` of a query with variables has no `LIMIT`, `OFFSET` and `LIMIT BY`, and no `HAVING` where rows are put together again: these stand in `execution_query`. That rows are read in the order in which they were kept is not shown.',
        why: 'Which rows there are depends on the variables: all are kept.',
      },
      UNKNOWN_FIELDS,
    ],
    endpoints_materialization_conditions_retrieve: [
      {
        what: '`conditions_source` is the list of the rules that the checks run through, in sentences. Upstream shows the source text of its checks.',
        why: 'The sentences stand beside the checks, and say the same in a tenth of the length.',
      },
    ],
    endpoints_materialization_suggestion_create: [
      {
        what: 'The model is the deployment’s: Workers AI, or a service of OpenAI’s protocol. Without one: the 404 that upstream gives where the feature is off. The texts of 502 and 503 are its own.',
        why: 'There is no gateway of the service’s own.',
      },
      UNKNOWN_FIELDS,
    ],
    endpoints_openapi_retrieve: [
      {
        what: 'Some schemas have descriptions that upstream’s have not. Filters of type `hogql`, which are refused, are not among those that it offers.',
        why: 'Clients are generated from it, with comments.',
      },
    ],
    endpoints_last_execution_times_create: [
      {
        what: 'A body without `names` is a 400.',
        why: 'It is not known what upstream does; nothing could be meant.',
      },
    ],
  },
}
