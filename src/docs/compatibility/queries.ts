// What differs about the language and the numbers of saved queries: HogQL, insights, materialization.
import type { Differences } from './difference'

const REFUSED =
  'It is refused by name and place when the query is written, rather than run as something else.'

export const queries: Partial<Differences> = {
  areas: {
    'Saved queries': [
      {
        what: 'Queries run on D1, or on a ClickHouse of the deployment’s own. Everything goes by allow-list: a function, table, field or clause that is not known is a 400 with its name and place; some 250 functions are known.',
        why: 'Safety: text that a user wrote is compiled, and never handed to a database.',
      },
      {
        what: 'Tables: `events`, `persons`, `person_distinct_ids`, `groups`, `sessions`, `cohort_people`, and `numbers()`. Not `query_log`, replay, logs, warehouse tables and views, materialized endpoints under their own name, nor a direct connection.',
        why: 'Decided by what is captured here; the rest is not built.',
      },
      {
        what: 'HogQL that is refused: `SAMPLE`, recursive CTEs, `ASOF`, `SEMI` and `ANTI` joins, `GROUP BY` with `ROLLUP`, `CUBE`, `GROUPING SETS` or `TOTALS`, `LIMIT … WITH TIES` and `PERCENT`, `WITH FILL`, `NULLS FIRST`, `VALUES` as a table, `COLUMNS(…)`, aggregate states and merges, `windowFunnel`, dictionaries, maps, hashes, random numbers and `toTimeZone`, tags (`<…>`), more than 12 nested parentheses. `FINAL` is taken and changes nothing.',
        why: REFUSED,
      },
      {
        what: 'A variable stands where a value may: not in `LIMIT` and `OFFSET`, nor as the name of a property, the unit of an interval or the parameter of an aggregate (`quantile({variables.p})(x)`).',
        why: 'A query is compiled once, when it is written; these are part of what is compiled.',
      },
      {
        what: 'Fields that are refused: `team_id`, `pdi`, `$virt_…`, and `$channel_type` of sessions, which have start, end, duration, counts, URLs, referrer and campaign. `poe` is the person as they are now.',
        why: 'Events hold no copy of the person; what is derived from lists of channels is not built.',
      },
      {
        what: 'On D1 there are no regular expressions (`match`, `=~`, `extract`, `replaceRegexp…`), `LIKE` patterns with wildcards inside have at most 50 bytes, `lower`, `upper` and `ILIKE` are for ASCII, results have at most 100 columns.',
        why: 'SQLite has no more. ClickHouse has regular expressions, and patterns of any length.',
      },
      {
        what: 'On D1 a missing side of an outer join is NULL (ClickHouse: the default of the type), `uniq` and quantiles are exact, and numbers past 64 bits are `integer_overflow`.',
        why: 'SQLite knows nothing else.',
      },
      {
        what: '`modifiers`, `tags`, `explain`, `sendRawQuery` and `values` of a query are kept and have no effect; `{filters}` and insights have no test accounts to leave out, and `samplingFactor` changes nothing: all events are counted.',
        why: 'They steer upstream’s engine; projects have no such setting.',
      },
      {
        what: 'Kinds: `HogQLQuery`, `TrendsQuery`, `LifecycleQuery`, `RetentionQuery`, `FunnelsQuery`. `PathsQuery` and `StickinessQuery` are a 400 on `query`, any other kind a `parse_error`.',
        why: 'Not built.',
      },
      {
        what: 'Insights refuse actions, groups of series and warehouse tables as series, breakdowns by cohort, histogram or normalized URL, and the interval `second`; trends: smoothing and conversion goals; retention: other aggregations than `count`, custom brackets and rolling windows; funnels: trends and time to convert, exclusions, optional steps, attribution by step, and an unordered one with more than two steps of one event. Of a breakdown, trends show the 10,000 largest values and put the others together as Other; retention and funnels show all, whatever `breakdown_limit` says, within the 50,000 rows.',
        why: REFUSED,
      },
      {
        what: 'A range of dates has at most 100,000 periods of its interval (two months of minutes, eleven years of hours): past that, `query_too_large` when it is run, and when the query is written if its own range has more. So is a table of more numbers than fit into 16 MB. Dates and `compare_to` are read when the query is written.',
        why: 'A series has a number, a day and a label for every period.',
      },
      {
        what: 'Bounds are rounded down to days by default only where the column holds moments.',
        why: 'A number or a text is in no day.',
      },
      {
        what: 'Materialized, a variable has to be compared in ways that the kept rows answer exactly. What upstream answers approximately (a LIMIT or an aggregate in a CTE with a range, `DISTINCT` there) is refused with its reason; results have at most 99 columns and ten million rows.',
        why: 'A materialized run says what the query says.',
      },
      {
        what: 'Rows are built by a queue, looked at every minute; more than 250,000 are written in several statements, and events captured in between may shift rows. There is no source whose own freshness would be looked at.',
        why: 'A statement of D1 is bounded in time.',
      },
      {
        what: '`last_executed_at`, `version_created_at` and their like end in `+00:00`, as upstream writes them by hand, and not in `Z` as every other moment of this service.',
        why: 'Clients parse them.',
      },
    ],
  },
}
