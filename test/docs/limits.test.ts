// Limits are the same in the code, in wrangler.toml, in the guides and in the OpenAPI document.
import {
  MAX_RECURSION_BYTES,
  MAX_RECURSION_LEVELS,
  MAX_RECURSION_ROWS,
} from '../../src/hogql/functions/limits'
import { MAX_ACTIONS, MAX_STEPS_BYTES } from '../../src/endpoints/actions/actions'
import { MAX_ACTION_STEPS } from '../../src/hogql/actions/steps'
import { MAX_STEPS } from '../../src/hogql/resolve/names/recursion'
import { HOURLY_QUOTAS } from '../../src/http/limits/hourly-quota'
import { describe, expect, it } from 'vitest'
import {
  MAX_HASH_WAIT_MS,
  MAX_RUNNING_HASHES,
  MAX_WAITING_HASHES,
} from '../../src/account/password/hash-limit'
import { MAX_PASSWORD_BYTES, MAX_PASSWORD_LENGTH } from '../../src/account/password/password-length'
import { MAX_JSON_BYTES, MAX_SETTINGS_PATCH_BYTES } from '../../src/account/users/profile-body'
import { MAX_CONCURRENT_SIGN_INS } from '../../src/account/sign-in/password-sign-in'
import { KEY_CACHE_MS } from '../../src/auth/key-cache'
import compatibility from '../../src/docs/guide/compatibility.md?raw'
import guide from '../../src/docs/guide/limits.md?raw'
import { CALLS_A_MINUTE } from '../../src/docs/limits'
import { openApi } from '../support/generated'
import { MAX_WARNINGS, WARNING_DAYS } from '../../src/analytics/capture/warnings'
import { MAX_DISTINCT_IDS } from '../../src/analytics/capture/person-changes'
import {
  MAX_HISTORY_BYTES,
  MAX_HISTORY_EVENTS,
  MAX_HISTORY_NAMES,
} from '../../src/analytics/event-reads/property-history'
import {
  MAX_APPROVERS,
  MAX_HELD_BYTES,
  MAX_PENDING,
  MAX_PENDING_OF_REQUESTER,
  MAX_QUORUM,
  MAX_REASON,
} from '../../src/flags/approvals/approval-types'
import { MAX_CHANGE_BYTES } from '../../src/flags/scheduled/payload'
import { MAX_CRASHES } from '../../src/flags/scheduled/run-changes'
import { MAX_PENDING_OF_FLAG, MAX_PENDING_OF_PROJECT } from '../../src/flags/scheduled/write-change'
import { MAX_TILES } from '../../src/analytics/dashboards/write-dashboard'
import { MAX_SEARCHED, MAX_USES } from '../../src/flags/cohorts/cohort-uses'
import { MAX_EVALUATED } from '../../src/flags/cohorts/list-members'
import { MAX_SAMPLE } from '../../src/flags/evaluate/blast-radius'
import { MAX_FILTERED_ENTRIES, MAX_LOG_BYTES } from '../../src/activity/list'
import { MAX_DEFINITION_BYTES } from '../../src/snapshots/definition-quota'
import { MAX_RETURNED_BYTES } from '../../src/project/published-snapshots'
import { MAX_EVALUATION_STEPS } from '../../src/evaluation/budget'
import {
  MAX_COMPUTED_BYTES,
  MAX_COMPUTED_TEXTS,
  MAX_PATTERN_INSTRUCTIONS,
} from '../../src/hogql/computed/limits'
import { MAX_FILTER_CHARACTERS, MAX_FILTER_EXPRESSIONS } from '../../src/hogql/resolve/filter-expressions'
import { MAX_GROUPING_SETS } from '../../src/hogql/resolve/select/grouping-sets'
import { MAX_REGEX_LENGTH, MAX_REGEX_PROGRAM, MAX_REGEX_TEXT } from '../../src/evaluation/regex/regex'
import { MAX_FLAG_REGEX_PROGRAM } from '../../src/flags/filters/properties'
import { MAX_ENTRIES } from '../../src/flags/read/versions'
import { MAX_SEARCHED_NAME } from '../../src/flags/read/search'
import { MAX_BODY_BYTES, MAX_JSON_VALUES } from '../../src/http/body/body'
import { MAX_REQUEST_MEMORY } from '../../src/http/limits/request-memory'
import { MAX_SEARCH_LENGTH } from '../../src/http/fields'
import {
  MAX_COHORTS,
  MAX_EXCLUSIONS,
  MAX_FUNNEL_STEPS,
  MAX_PATH_EDGES,
  MAX_PATH_STEPS,
  MAX_SERIES,
  MAX_TABLE_COLUMNS,
  MAX_TREND_LINES,
} from '../../src/endpoints/insights/limits'
import { runOperation } from '../../src/endpoints/operations/run'
import { MAX_CONCURRENT_RUNS } from '../../src/endpoints/run/concurrency-limit'
import { HOURS } from '../../src/endpoints/run/run-throttle'
import { CAPTURE_BODY, MAX_CAPTURE_BYTES, MAX_CAPTURE_VALUES, SMALL_BODY } from '../../src/sdk/body/read-body'
import { MAX_CHAIN_CHARACTERS } from '../../src/sdk/dependency-chains'
import { MAX_LIST_LENGTH } from '../../src/sdk/flags-request'
import { MAX_REPLIES_LENGTH } from '../../src/mcp/serve'
import { MAX_PART_BYTES } from '../../src/snapshots/parts'
import { MAX_SNAPSHOT_CACHE_BYTES } from '../../src/snapshots/snapshot-cache'
import { MAX_PAGE_BYTES } from '../../src/storage/byte-page'
import { MAX_PART_LENGTH, MAX_RUN_LENGTH } from '../../src/storage/backup/scheduled-backup'
import { MAX_REENCRYPTION_STATEMENTS } from '../../src/storage/reencrypt'
import { MAX_EVENTS, MAX_STREAMS_PER_ISOLATE } from '../../src/sdk/generation-stream'
import { MAX_STREAM_SECONDS } from '../../src/sdk/operations/stream'
import { MAX_STREAMS_PER_OBJECT } from '../../src/snapshots/stream-message'
import { MAX_DELIVERIES, MAX_PENDING as MAX_WAITING } from '../../src/webhooks/deliver'
import { MAX_RESPONSE_BYTES, RECEIVER_DEADLINE_MS } from '../../src/webhooks/post'
import { MAX_SOURCE_BYTES, MAX_SOURCE_CALLS, SOURCE_DEADLINE_MS } from '../../src/import/call-source'
import { MAX_URL_LENGTH } from '../../src/http/public-url'
import { MAX_ATTEMPTS } from '../../src/webhooks/retry'
import { MAX_WEBHOOKS } from '../../src/webhooks/write-webhook'
import settings from '../../wrangler.toml?raw'

interface Described {
  operationId: string
  security?: object[]
  responses: Record<string, { $ref?: string; description?: string }>
}
const document = openApi() as {
  info: { description: string }
  security: object[]
  paths: Record<string, Record<string, Described>>
  components: { responses: Record<string, { description: string }> }
}
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** Description of an operation's 429. */
function descriptionOf(id: string): string | undefined {
  const { $ref, description } = operations.find(({ operationId }) => operationId === id)!.responses[429] ?? {}
  return $ref ? document.components.responses[$ref.split('/').at(-1)!]!.description : description
}

/** The second cell of the guide's row that begins with `what`. */
function limitIn(what: string): string | undefined {
  const cells = guide.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  return cells.find((row) => row[1] === what)?.[2]
}
const MIB = 1024 * 1024
const number = (value: number) => value.toLocaleString('en')

describe('limits', () => {
  it.each([
    ['Re-encryption with a new key', `${MAX_REENCRYPTION_STATEMENTS} statements`],
    ['Scheduled backup', `${MAX_RUN_LENGTH / 1e6} MB of rows, in parts of ${MAX_PART_LENGTH / 1e6} MB`],
    [
      'Streams of a project',
      `\`STREAMS_PER_PROJECT\`, ${number(MAX_STREAMS_PER_OBJECT)}; then 503 with \`Retry-After\``,
    ],
    ['Streams of an isolate', `${number(MAX_STREAMS_PER_ISOLATE)} of all projects, then 503`],
    [
      'A stream',
      `${MAX_STREAM_SECONDS} s, ${MAX_EVENTS} events; then [the client connects again](freshness.md#streams)`,
    ],
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
    [
      'A call of the source of an import',
      `${SOURCE_DEADLINE_MS / 1000} s; ${MAX_SOURCE_BYTES / MIB} MiB of the response; a user in a project has ${MAX_SOURCE_CALLS} at the same time in an isolate`,
    ],
    ['Deliveries of a webhook', `about the newest ${number(MAX_DELIVERIES)}, for 30 days`],
    ['Grouping sets', `${MAX_GROUPING_SETS} in a SELECT`],
    [
      'Filters by `hogql`',
      `${MAX_FILTER_EXPRESSIONS} in a query, of ${number(MAX_FILTER_CHARACTERS)} characters together`,
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
      'A body from an SDK',
      `${SMALL_BODY.maxBytes / MIB} MiB after decompression, ${SMALL_BODY.maxDepth} levels deep, ${number(SMALL_BODY.maxValues)} values`,
    ],
    [
      'A body of events',
      `${MAX_CAPTURE_BYTES / MIB} MiB after decompression, ${CAPTURE_BODY.maxDepth} levels deep, ${number(MAX_CAPTURE_VALUES)} values; 10,000 events`,
    ],
    [
      'Large requests at the same time',
      `${MAX_REQUEST_MEMORY / MIB} MiB in each isolate, then 503 with \`Retry-After\`; the first 64 KiB of each are not counted`,
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
      `${MAX_SERIES} series, ${MAX_TREND_LINES} of them times cohorts times ranges; ${MAX_COHORTS} cohorts; ${MAX_FUNNEL_STEPS} steps and ${MAX_EXCLUSIONS} exclusions of a funnel; ${MAX_PATH_STEPS} steps and ${number(MAX_PATH_EDGES)} edges of paths; ${MAX_TABLE_COLUMNS} columns of a table`,
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
    ['A batch of MCP messages', `20; messages after ${MAX_REPLIES_LENGTH / MIB} MiB of replies are rejected`],
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
      'A part of a snapshot in KV',
      `${MAX_PART_BYTES / MIB} MiB, or one flag; parts of up to ${MAX_RETURNED_BYTES / MIB} MiB together come from the project object while KV fails`,
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
  ])('the guide states the limit of %j', (what, limit) => {
    expect(limitIn(what)).toBe(limit)
  })

  it('wrangler.toml has the rate limits of the code', () => {
    const rates = settings.matchAll(
      /\[\[ratelimits\]\]\nname = "(\w+)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = 60 \}/g,
    )
    expect(Object.fromEntries([...rates].map(([, name, limit]) => [name, Number(limit)]))).toEqual(
      CALLS_A_MINUTE,
    )
    expect(settings.match(/\[\[ratelimits\]\]/g)).toHaveLength(Object.keys(CALLS_A_MINUTE).length)
  })

  it('the guides and descriptions have the rate limits of the code', () => {
    const { KEY_RATE, TEST_EVALUATION_RATE, REMOTE_CONFIG_RATE, RUN_RATE, MATERIALIZED_RUN_RATE } =
      CALLS_A_MINUTE
    const rows = guide
      .split('\n')
      .filter((line) => line.startsWith('| A key, ') || line.startsWith('| A personal API key, except'))
    expect(rows.map((row) => Number(/([\d,]+) a minute/.exec(row)![1]!.replace(',', '')))).toEqual([
      KEY_RATE,
      TEST_EVALUATION_RATE,
      REMOTE_CONFIG_RATE,
      RUN_RATE,
      MATERIALIZED_RUN_RATE,
    ])
    const hour = number(HOURLY_QUOTAS.KEY_RATE!.calls)
    expect(compatibility.replaceAll(/\s+/g, ' ')).toContain(
      `A key may call ${KEY_RATE} times a minute and ${hour} times an hour; \`test_evaluation\` (${TEST_EVALUATION_RATE} and ${number(HOURLY_QUOTAS.TEST_EVALUATION_RATE!.calls)}) and \`remote_config\` (${REMOTE_CONFIG_RATE} a minute)`,
    )
    expect(runOperation.description).toContain(`${RUN_RATE} queries a minute`)
    expect(runOperation.description).toContain(`${MATERIALIZED_RUN_RATE.toLocaleString('en')} a minute`)
    const about = document.info.description.replaceAll(/\s+/g, ' ')
    expect(about).toContain(`A key may call ${KEY_RATE} times a minute and ${hour} times an hour`)
    expect(about).toContain(
      `saved queries may run ${RUN_RATE} times a minute and ${number(HOURS.inline.calls)} times an hour (${number(HOURS.materialized.calls)} from materialized rows)`,
    )
    expect(about).toContain(`${MAX_CONCURRENT_RUNS} running queries`)
  })

  it('the guide states the limits of accounts', () => {
    expect(limitIn('Password')).toBe(
      `8 to ${number(MAX_PASSWORD_LENGTH)} characters, at most ${number(MAX_PASSWORD_BYTES)} bytes in UTF-8`,
    )
    expect(limitIn('Passwords hashed at once')).toBe(
      `${MAX_RUNNING_HASHES} in each isolate; ${MAX_WAITING_HASHES} more wait up to ${MAX_HASH_WAIT_MS / 1000} s, others get 503`,
    )
    expect(limitIn('Sign-ins at once')).toBe(`${MAX_CONCURRENT_SIGN_INS} in each isolate, then 503`)
    expect(limitIn('Other JSON of a profile')).toBe(`${number(MAX_JSON_BYTES)} bytes in each field`)
    expect(limitIn('A revoked key')).toBe(
      `loses access at once in the isolate that revoked it, within ${KEY_CACHE_MS / 1000} s elsewhere`,
    )
    expect(limitIn('A change of notification settings')).toBe(
      `${number(MAX_SETTINGS_PATCH_BYTES)} bytes of JSON`,
    )
  })

  it('every operation that counts keys declares 429', () => {
    const counting = operations.filter(({ security = document.security }) =>
      security.some((scheme) => 'personalApiKey' in scheme),
    )
    expect(counting.map(({ operationId }) => operationId)).toContain('local_evaluation')
    expect(
      counting.filter(({ responses }) => !(429 in responses)).map(({ operationId }) => operationId),
    ).toEqual([])
  })

  it.each([
    [
      'projects_list',
      'A key may call 480 times within a minute and 4,800 times within an hour, not counting operations with a limit of their own.',
    ],
    [
      'local_evaluation',
      'A key may call 480 times within a minute, not counting operations with a limit of their own.',
    ],
    [
      'feature_flags_test_evaluation_create',
      'A key may call this 240 times within a minute and 1,200 times within an hour.',
    ],
    ['feature_flags_remote_config_retrieve', 'A key may call this 600 times within a minute.'],
    [
      'endpoints_run_retrieve',
      'A key may run queries 240 times within a minute and 2,400 times within an hour; for materialized queries 1,200 times within a minute and 12,000 times within an hour. A project may run 20 at the same time.',
    ],
    [
      'endpoints_materialization_suggestion_create',
      'A user may call this 10 times within a minute and 100 times within a day. A key may call 480 times within a minute and 4,800 times within an hour, not counting operations with a limit of their own.',
    ],
    [
      'users_partial_update',
      'A user may try 5 current passwords within a minute. A key may call 480 times within a minute and 4,800 times within an hour, not counting operations with a limit of their own.',
    ],
    ['users_two_factor_validate_create', 'A user may try 6 codes within 20 minutes.'],
  ])('the description of %s has its limits', (id, limits) => {
    expect(descriptionOf(id)).toBe(`Too many calls. ${limits}`)
  })

  it('operations with the project token describe its quota', () => {
    expect(descriptionOf('ofrep_evaluate_flag')).toBe('The evaluation quota of the project is used up.')
  })
})
