// Limits are the same in the code, in wrangler.toml, in the guides and in the OpenAPI document.
import { HOURLY_QUOTAS } from '../../src/http/limits/key-quota'
import { describe, expect, it } from 'vitest'
import { areas } from '../../src/areas'
import compatibility from '../../src/docs/guide/compatibility.md?raw'
import guide from '../../src/docs/guide/limits.md?raw'
import { CALLS_A_MINUTE } from '../../src/docs/limits'
import { openApi } from '../support/generated'
import { runOperation } from '../../src/endpoints/operations/run'
import { MAX_CONCURRENT_RUNS } from '../../src/endpoints/run/concurrency-limit'
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

const number = (value: number) => value.toLocaleString('en')

describe('limits', () => {
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
      `saved queries may run ${RUN_RATE} times a minute and ${number(HOURLY_QUOTAS.RUN_RATE!.calls)} times an hour (${number(HOURLY_QUOTAS.MATERIALIZED_RUN_RATE!.calls)} from materialized rows)`,
    )
    expect(about).toContain(`${MAX_CONCURRENT_RUNS} running queries`)
  })

  it('the guide has the limits of calls that are counted in D1, and no others', () => {
    const rows = guide.split('\n').filter((line) => /\| D1 +\|$/.test(line))
    const described = rows.flatMap((row) => row.match(/[\d,]+(?= (?:an?|in|\/) )/g) ?? [])
    const throttles = areas.flatMap((area) => area.operations).flatMap((each) => each.throttles ?? [])
    // Paths of projects and of environments share a throttle.
    const counted = new Map(throttles.map(({ name, calls }) => [name, number(calls)]))
    expect(described.toSorted()).toEqual([...counted.values()].toSorted())
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
    ['login_precheck_create', 'An IP address may call this 30 times within a minute.'],
    ['users_two_factor_validate_create', 'A user may try 6 codes within 20 minutes.'],
  ])('the description of %s has its limits', (id, limits) => {
    expect(descriptionOf(id)).toBe(`Too many calls. ${limits}`)
  })

  it('operations with the project token describe its quota', () => {
    expect(descriptionOf('ofrep_evaluate_flag')).toBe('The evaluation quota of the project is used up.')
  })
})
