// Writes the limits of the code into rows of the guide.
import { MAX_RECURSION_BYTES, MAX_RECURSION_LEVELS, MAX_RECURSION_ROWS } from '../hogql/functions/limits'
import { MAX_ACTIONS, MAX_STEPS_BYTES } from '../endpoints/actions/actions'
import { MAX_ACTION_STEPS } from '../hogql/resolve/filters/action-steps'
import { CLICKHOUSE } from '../hogql/clickhouse/dialect'
import { MAX_STEPS } from '../hogql/resolve/names/recursion'
import { MAX_TYPE_LENGTH } from '../hogql/resolve/types/casts'
import { SQLITE } from '../hogql/sqlite/dialect'
import { MAX_WARNINGS, WARNING_DAYS } from '../analytics/capture/warnings'
import { MAX_STORED_BYTES, MAX_STORED_PROPERTIES } from '../analytics/capture/stored-budget'
import { MAX_DISTINCT_IDS } from '../analytics/capture/person-changes'
import {
  MAX_HISTORY_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_HISTORY_NAMES,
} from '../analytics/event-reads/property-history'
import {
  MAX_APPROVERS,
  MAX_HELD_BYTES,
  MAX_PENDING,
  MAX_PENDING_OF_REQUESTER,
  MAX_QUORUM,
  MAX_REASON,
} from '../flags/approvals/approval-types'
import { MAX_CHANGE_BYTES } from '../flags/scheduled/payload'
import { MAX_CRASHES } from '../flags/scheduled/run-changes'
import { MAX_PENDING_OF_FLAG, MAX_PENDING_OF_PROJECT } from '../flags/scheduled/create-change'
import { MAX_TILES } from '../analytics/dashboards/dashboard-body'
import { MAX_SEARCHED, MAX_USES } from '../flags/cohorts/cohort-uses'
import { MAX_EVALUATED } from '../flags/cohorts/list-members'
import { MAX_SAMPLE } from '../flags/evaluate/blast-radius'
import { MAX_HASH_WAIT_MS, MAX_RUNNING_HASHES, MAX_WAITING_HASHES } from '../account/password/hash-limit'
import { MAX_PASSWORD_BYTES, MAX_PASSWORD_LENGTH } from '../account/password/password-length'
import { MAX_JSON_BYTES, MAX_SETTINGS_PATCH_BYTES } from '../account/users/profile-body'
import { MAX_DOMAINS, MAX_LEVELS } from '../account/single-sign-on/settings-body'
import { MAX_CONCURRENT_SIGN_INS } from '../account/sign-in/password-sign-in'
import { KEY_CACHE_MS } from '../auth/key-cache'
import { tableOf } from './markdown-table'
import { MAX_FILTERED_ENTRIES, MAX_LOG_BYTES } from '../activity/list'
import { MAX_SESSIONS } from '../auth/sessions'
import { MAX_DEFINITION_BYTES } from '../snapshots/definition-quota'
import { MAX_EVALUATION_STEPS } from '../evaluation/budget'
import { MAX_COMPUTED_BYTES, MAX_COMPUTED_TEXTS, MAX_PATTERN_INSTRUCTIONS } from '../hogql/computed/limits'
import { MAX_FILTER_CHARACTERS, MAX_FILTER_EXPRESSIONS } from '../hogql/resolve/filter-expressions'
import { MAX_GROUPING_SETS } from '../hogql/resolve/select/grouping-sets'
import { MAX_REGEX_LENGTH, MAX_REGEX_PROGRAM, MAX_REGEX_TEXT } from '../evaluation/regex/regex'
import { MAX_FLAG_REGEX_PROGRAM } from '../flags/filters/properties'
import { MAX_ENTRIES } from '../flags/read/versions'
import { MAX_VARIABLES } from '../endpoints/query/query-variables'
import { MAX_VALUE_BYTES } from '../endpoints/variables/variable-record'
import { MAX_RESOLVED, MAX_TYPE_SIZE } from '../hogql/resolve/context/resolution'
import { MAX_COLUMNS } from '../hogql/resolve/select/select'
import { MAX_SEARCHED_NAME } from '../flags/read/name-search'
import { LIST_OF_IDS, MAX_BODY_BYTES, MAX_JSON_VALUES } from '../http/body/body'
import { MAX_LOADING_MEMORY, MAX_REQUEST_MEMORY } from '../http/limits/request-memory'
import { MAX_BODY_WAIT_MS, MAX_PIECE_WAIT_MS } from '../http/body/body-pieces'
import { MAX_RESPONSE_MEMORY, MAX_SEND_MS } from '../http/text-response'
import { MAX_SEARCH_LENGTH } from '../http/fields'
import {
  MAX_COHORTS,
  MAX_EXCLUSIONS,
  MAX_FUNNEL_STEPS,
  MAX_PATH_EDGES,
  MAX_PATH_GROUPINGS,
  MAX_PATH_STEPS,
  MAX_FORMULAS,
  MAX_SERIES,
  MAX_TABLE_COLUMNS,
  MAX_TREND_LINES,
} from '../endpoints/insights/limits'
import { MAX_CARRIED_COLUMNS } from '../endpoints/materialization/analysis/propagate'
import { CAPTURE_BODY, MAX_CAPTURE_BYTES, MAX_CAPTURE_VALUES, SMALL_BODY } from '../sdk/body/read-body'
import { MAX_UNKNOWN_BYTES, MAX_UNKNOWN_ENCODED_BYTES } from '../sdk/body/read-text'
import { MAX_CHAIN_CHARACTERS } from '../sdk/dependency-chains'
import { MAX_LIST_LENGTH } from '../sdk/flags-request'
import { MAX_SNAPSHOT_CACHE_BYTES } from '../snapshots/snapshot-cache'
import { MAX_PAGE_BYTES } from '../storage/byte-page'
import { MAX_PART_LENGTH, MAX_RUN_LENGTH } from '../storage/backup/scheduled-backup'
import { MAX_REENCRYPTION_STATEMENTS } from '../storage/reencrypt'
import { MAX_EVENTS, MAX_STREAMS_PER_ISOLATE } from '../sdk/generation-stream'
import { MAX_STREAMS_PER_NETWORK } from '../sdk/stream-capacity'
import { MAX_STREAM_SECONDS } from '../sdk/operations/stream'
import { MAX_STREAMS_PER_OBJECT } from '../snapshots/stream-message'
import { MAX_WAITING_LENGTH, MAX_WAITING_WRITES } from '../project/flag-writer'
import { MAX_DELIVERIES } from '../webhooks/deliver'
import { MAX_PENDING as MAX_WAITING } from '../webhooks/pause'
import { MAX_RESPONSE_BYTES, RECEIVER_DEADLINE_MS } from '../webhooks/post'
import { MAX_URL_LENGTH } from '../http/public-url'
import { MAX_ATTEMPTS } from '../webhooks/retry'
import { MAX_CANDIDATES } from '../account/chat/links'
import { MAX_WORKSPACES } from '../account/chat/workspace-integration'
import { MAX_INVITES } from '../account/invites/create'
import { MAX_PROJECTS } from '../account/organizations/organization-projects'
import { MAX_SCENES } from '../account/users/scene'
import { MAX_WEBHOOKS } from '../webhooks/create-webhook'

const MIB = 1024 * 1024
const number = (value: number) => value.toLocaleString('en')

/** Limits by the first cell of their row. The guide has further rows, whose limits are not constants. */
const LIMITS: readonly (readonly [what: string, limit: string])[] = [
  ['Re-encryption with a new key', `${MAX_REENCRYPTION_STATEMENTS} statements`],
  ['Scheduled backup', `${MAX_RUN_LENGTH / 1e6} MB of rows, in parts of ${MAX_PART_LENGTH / 1e6} MB`],
  [
    'Streams of a project',
    `\`STREAMS_PER_PROJECT\`, ${number(MAX_STREAMS_PER_OBJECT)}; then 503 with \`Retry-After\``,
  ],
  [
    'Streams of an isolate',
    `${number(MAX_STREAMS_PER_ISOLATE)} of all projects; one project has at most as many as are then free, so half if it is alone; then 503`,
  ],
  [
    'Streams of a network',
    `${MAX_STREAMS_PER_NETWORK} of a project in each isolate, if \`THROTTLES\` is \`on\`; then 503`,
  ],
  [
    'A stream',
    `${MAX_STREAM_SECONDS} s, ${MAX_EVENTS} events; then [the client connects again](freshness.md#streams)`,
  ],
  ['Sessions of a user', `${MAX_SESSIONS}; a sign-in past them ends the one that was used least recently`],
  ['Projects of an organization', number(MAX_PROJECTS)],
  ['Pending invites of an organization', number(MAX_INVITES)],
  ['Chat workspaces of a project', `${MAX_WORKSPACES}; a user is offered ${MAX_CANDIDATES} to link`],
  ['Scenes with a dashboard of a user', `${MAX_SCENES}; past them, the one that was added first goes`],
  ['Webhooks of a project', `${MAX_WEBHOOKS}; URLs of ${number(MAX_URL_LENGTH)} characters`],
  [
    'Messages that wait',
    `${number(MAX_WAITING)} of a webhook that fails; [then it is paused](webhooks.md#delivery)`,
  ],
  [
    'A call of a receiver',
    `${RECEIVER_DEADLINE_MS / 1000} s; ${MAX_RESPONSE_BYTES / 1024} KiB of the response are read; 5 at the same time`,
  ],
  [
    'Attempts of a delivery',
    `${MAX_ATTEMPTS}, over about a day; [then the webhook is paused](webhooks.md#delivery)`,
  ],
  ['Deliveries of a webhook', `about the newest ${number(MAX_DELIVERIES)}, for 30 days`],
  ['Grouping sets', `${MAX_GROUPING_SETS} in a SELECT`],
  [
    'Parts of a query',
    `${number(MAX_COLUMNS)} columns in a SELECT; ${number(MAX_TYPE_SIZE)} values within a tuple, those of tuples inside of it among them; ${number(MAX_RESOLVED)} expressions once what it names several times (an expression of WITH, a window, \`{filters}\`) is written out`,
  ],
  [
    'Variables',
    `${MAX_VARIABLES} in a query; ${number(MAX_VALUE_BYTES)} bytes of JSON each for the default and the choices of one`,
  ],
  [
    'Variables of materialized CTEs',
    `${number(MAX_CARRIED_COLUMNS)} columns in the CTEs that read theirs: one for each variable in each`,
  ],
  [
    'Filters by `hogql`',
    `${MAX_FILTER_EXPRESSIONS} in a query, of ${number(MAX_FILTER_CHARACTERS)} characters together`,
  ],
  [
    'Translated SQL',
    `${number(SQLITE.maxText)} characters for D1, ${number(CLICKHOUSE.maxText)} for ClickHouse; the name of a type has at most ${MAX_TYPE_LENGTH}`,
  ],
  [
    'Search',
    `a term of ${MAX_SEARCH_LENGTH} characters; the first ${number(MAX_SEARCHED_NAME)} characters of a name are searched`,
  ],
  [
    'A body of the management API',
    `${MAX_BODY_BYTES / MIB} MiB of JSON, 64 levels deep, ${number(MAX_JSON_VALUES)} values`,
  ],
  [
    'A body with ids to delete, restore or look up',
    `${LIST_OF_IDS.maxBytes / MIB} MiB of JSON, ${LIST_OF_IDS.maxDepth} levels deep, ${number(LIST_OF_IDS.maxValues)} values`,
  ],
  [
    'Changes of flags that wait for each other',
    `${number(MAX_WAITING_WRITES)} a project, with bodies of ${MAX_WAITING_LENGTH / MIB} MiB together, others get 503`,
  ],
  [
    'A body from an SDK',
    `${SMALL_BODY.maxBytes / MIB} MiB after decompression, ${SMALL_BODY.maxDepth} levels deep, ${number(SMALL_BODY.maxValues)} values`,
  ],
  [
    'A body of events',
    `${MAX_CAPTURE_BYTES / MIB} MiB after decompression, ${CAPTURE_BODY.maxDepth} levels deep, ${number(MAX_CAPTURE_VALUES)} values; 10,000 events`,
  ],
  [
    'A body of events without a known token in its first 64 KiB',
    `${MAX_UNKNOWN_BYTES / MIB} MiB of JSON, ${MAX_UNKNOWN_ENCODED_BYTES / MIB} MiB of a form or of base64, after decompression`,
  ],
  [
    'Time to send a body above 64 KiB',
    `${MAX_PIECE_WAIT_MS / 1000} s without a byte, ${MAX_BODY_WAIT_MS / 1000} s together, then 408`,
  ],
  [
    'Stored properties that a request of events may change',
    `those of persons and groups with ${MAX_STORED_BYTES / MIB} MiB and ${number(MAX_STORED_PROPERTIES)} properties together, then 413`,
  ],
  [
    'Large requests at the same time',
    `${MAX_REQUEST_MEMORY / MIB} MiB of bodies and ${MAX_LOADING_MEMORY / MIB} MiB of definitions that are loaded, in each isolate, then 503 with \`Retry-After\`; the first 64 KiB of each are not counted`,
  ],
  [
    'Long responses of flags at the same time',
    `${MAX_RESPONSE_MEMORY / MIB} MiB in each isolate, then 503 with \`Retry-After\`; those up to 64 KiB are not counted. A client has ${MAX_SEND_MS / 1000} s to read one`,
  ],
  [
    'Activity of a user or of a range of time',
    `the newest ${number(MAX_FILTERED_ENTRIES)} entries; with \`item_id\`, those among its newest ${number(MAX_FILTERED_ENTRIES)}`,
  ],
  [
    'Size of a page of flags, activity, endpoints or versions',
    `${MAX_PAGE_BYTES / MIB} MiB; then it ends early, and \`next\` continues there`,
  ],
  [
    'Parts of an insight',
    `${MAX_SERIES} series, ${MAX_TREND_LINES} of them times cohorts times ranges; ${MAX_FORMULAS} formulas; ${MAX_COHORTS} cohorts; ${MAX_FUNNEL_STEPS} steps and ${MAX_EXCLUSIONS} exclusions of a funnel; ${MAX_PATH_STEPS} steps, ${number(MAX_PATH_EDGES)} edges and ${MAX_PATH_GROUPINGS} groupings of paths; ${MAX_TABLE_COLUMNS} columns of a table`,
  ],
  [
    'Actions',
    `${MAX_ACTIONS} in a project; ${MAX_ACTION_STEPS} steps and ${number(MAX_STEPS_BYTES)} bytes of JSON each`,
  ],
  [
    'A recursive CTE',
    `${number(MAX_RECURSION_LEVELS)} levels, ${number(MAX_RECURSION_ROWS)} rows, values of ${number(MAX_RECURSION_BYTES)} bytes; ${MAX_STEPS} SELECTs that read it`,
  ],
  ['Search term', `${MAX_SEARCH_LENGTH} characters in every list`],
  [
    'Distinct ids of a person',
    `${number(MAX_DISTINCT_IDS)}; an event that would add another does not, and is listed in \`errors\``,
  ],
  [
    'Warnings about rejected events',
    `${number(MAX_WARNINGS)} reasons of a project, for ${WARNING_DAYS} days after they were last seen; an isolate reports those of a project once a second`,
  ],
  [
    'History of a person, `test_evaluation` with a `timestamp`',
    `${number(MAX_HISTORY_NAMES)} names of properties over all distinct ids, ${MAX_HISTORY_BYTES / MIB} MiB; then 400. Values that were replaced over 730 days ago are deleted`,
  ],
  [
    "Events that set a person's properties without history (older than the history, or on ClickHouse)",
    `${number(MAX_HISTORY_EVENTS)}, ${MAX_HISTORY_BYTES / MIB} MiB; then 400 for the same call`,
  ],
  [
    'Blast radius',
    `exact up to ${number(MAX_SAMPLE)} people or groups; above that the share among ${number(MAX_SAMPLE)} random ones: within 2 percentage points 19 times in 20`,
  ],
  [
    'Members of a dynamic cohort',
    `${number(MAX_EVALUATED)} persons are examined for a page; a page may be empty before the last one`,
  ],
  [
    'Uses of a cohort',
    `${MAX_USES} flags, cohorts and saved queries each; saved queries among the ${number(MAX_SEARCHED)} newest that have the word`,
  ],
  ['Tiles of a dashboard', `${MAX_TILES}`],
  [
    'Change requests that wait',
    `${MAX_PENDING} a project, ${MAX_PENDING_OF_REQUESTER} a member; ${number(MAX_HELD_BYTES)} bytes with the values before the change; reasons of ${number(MAX_REASON)} characters`,
  ],
  ['Approval policies', `one an action; ${MAX_QUORUM} approvals, ${MAX_APPROVERS} users`],
  [
    'Scheduled changes that wait',
    `${MAX_PENDING_OF_FLAG} a flag, ${MAX_PENDING_OF_PROJECT} a project; payloads of ${number(MAX_CHANGE_BYTES)} bytes; a change that crashes is tried ${MAX_CRASHES} times`,
  ],
  [
    'Definitions of a project',
    `${MAX_DEFINITION_BYTES / MIB} MiB of filters, names and evaluation contexts of its live flags`,
  ],
  [
    'Definitions cached by an isolate',
    `${MAX_SNAPSHOT_CACHE_BYTES / MIB} MiB for all projects; larger ones are compiled for each request`,
  ],
  [
    'Versions of a flag',
    `the last ${number(MAX_ENTRIES)} changes and ${MAX_LOG_BYTES / MIB} MiB; an older version is not found`,
  ],
  ['`flag_keys`, `evaluation_contexts` of a request', `${number(MAX_LIST_LENGTH)} members each`],
  [
    'Dependency chains for local evaluation',
    `${number(MAX_CHAIN_CHARACTERS)} characters of keys; longer ones are empty, and SDKs ask the service`,
  ],
  [
    'Regular expression',
    `${number(MAX_REGEX_LENGTH)} characters and ${number(MAX_REGEX_PROGRAM)} instructions; those of a flag together ${number(MAX_FLAG_REGEX_PROGRAM)} instructions`,
  ],
  [
    'Text that a regular expression searches',
    `${number(MAX_REGEX_TEXT)} characters; a longer one matches neither \`regex\` nor \`not_regex\``,
  ],
  [
    'Regular expressions of a query on D1',
    `${number(MAX_PATTERN_INSTRUCTIONS)} instructions together; ${number(MAX_COMPUTED_TEXTS)} different values of ${MAX_COMPUTED_BYTES / 1024 ** 2} MB`,
  ],
  [
    'Work of one evaluation',
    `${number(MAX_EVALUATION_STEPS)} steps, about half a second; a flag that needs more fails with \`timeout\``,
  ],
  [
    'Password',
    `8 to ${number(MAX_PASSWORD_LENGTH)} characters, at most ${number(MAX_PASSWORD_BYTES)} bytes in UTF-8`,
  ],
  [
    'Passwords hashed at once',
    `${MAX_RUNNING_HASHES} in each isolate; ${MAX_WAITING_HASHES} more wait up to ${MAX_HASH_WAIT_MS / 1000} s, others get 503`,
  ],
  ['Single sign-on of an organization', `${MAX_DOMAINS} domains, ${MAX_LEVELS} values with a level`],
  ['Sign-ins at once', `${MAX_CONCURRENT_SIGN_INS} in each isolate, then 503`],
  ['Other JSON of a profile', `${number(MAX_JSON_BYTES)} bytes in each field`],
  [
    'A revoked key',
    `loses access at once in the isolate that revoked it, within ${KEY_CACHE_MS / 1000} s elsewhere`,
  ],
  ['A change of notification settings', `${number(MAX_SETTINGS_PATCH_BYTES)} bytes of JSON`],
]

const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

/**
 * Returns the guide with the limits of the code.
 * @throws Error for a limit without a row, or with several
 */
export function withLimits(guide: string): string {
  const limits = new Map(LIMITS)
  const found: string[] = []
  const written = guide.replaceAll(/^\|.*(?:\n\|.*)+/gm, (table) => {
    const [heads, , ...rows] = table.split('\n').map(cellsOf)
    const current = rows.map(([what = '', limit = '', ...others]) => {
      if (limits.has(what)) found.push(what)
      return [what, limits.get(what) ?? limit, ...others]
    })
    return tableOf([heads!, ...current])
  })
  if (found.toSorted().join('\n') !== [...limits.keys()].toSorted().join('\n')) {
    const names = LIMITS.map(([what]) => what).filter(
      (what) => found.filter((each) => each === what).length !== 1,
    )
    throw new Error(`the guide of limits needs one row each for ${names.join(', ')}`)
  }
  return written
}
