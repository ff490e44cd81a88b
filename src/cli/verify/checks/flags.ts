// Checks flags: what a write promises, and everything that evaluates them.
import { type Check, type Context, until } from '../check'
import { ensure } from '../outcome'
import { describe } from '../service'
import type { Flag } from '../temporary-project'

const OFF = { active: false }

const CHANGES =
  'Look for `publishing a change failed` and `KV did not take a document` in the log, and check FRESHNESS_SECONDS. A cache in front of the Worker must not store /flags/.'

const PROXY =
  'A proxy, cache or firewall in front of the Worker changes the request or the answer: let this path through as it is.'

/** Returns how stale flags may be. On workers.dev there is no cache of the location, so that each isolate asks separately. */
const freshnessSeconds = ({ service }: Context) =>
  new URL(service.url).hostname.endsWith('.workers.dev') ? 60 : 10

/**
 * Waits until `/flags` has a version of a flag, or with null until it has none, as of a disabled flag.
 * @returns how long it took
 */
async function untilServed(context: Context, key: string, version: number | null): Promise<string> {
  const { evaluate } = await context.project()
  const missing = `/flags/ did not have ${version === null ? `${key} disabled` : `version ${version} of ${key}`}`
  const { took } = await until(context, freshnessSeconds(context), missing, async () => {
    const flag = (await evaluate()).flags[key]
    return (flag?.enabled ? flag.metadata.version : null) === version ? true : null
  })
  return took
}

export const flagChecks: readonly Check[] = [
  {
    name: 'A write is read back at once',
    async check({ project }) {
      const { createFlag, call } = await project()
      for (let round = 1; round <= 3; round++) {
        const key = `verify-read-${round}`
        const { id } = await createFlag(key)
        const created = await call<Flag>('GET', `feature_flags/${id}/`)
        ensure(
          created.active && created.version === 1,
          `${key} was read as ${JSON.stringify(created)} after it was created`,
        )
        await call('PATCH', `feature_flags/${id}/`, OFF)
        const updated = await call<Flag>('GET', `feature_flags/${id}/`)
        ensure(
          !updated.active && updated.version === 2,
          `${key} was read as ${JSON.stringify(updated)} after it was disabled`,
        )
        const found = await call<{ results: Flag[] }>('GET', `feature_flags/?search=${key}`)
        ensure(found.results.length === 1, `the list has ${found.results.length} flags ${key}`)
        await call('PATCH', `feature_flags/${id}/`, { deleted: true })
        const left = await call<{ results: Flag[] }>('GET', `feature_flags/?search=${key}`)
        ensure(left.results.length === 0, `the list has ${key} after it was deleted`)
      }
    },
    advice:
      'A cache in front of the Worker must not store /api/. If there is none, report a bug: writes read the primary database.',
  },
  {
    name: 'A change of a flag is served, and definitions are confirmed',
    async check(context) {
      const { createFlag, call, evaluate } = await context.project()
      const { id, key } = await createFlag('verify-fresh')
      const on = await untilServed(context, key, 1)
      await call('PATCH', `feature_flags/${id}/`, OFF)
      const off = await untilServed(context, key, null)
      const { stale } = await evaluate()
      ensure(
        stale === null,
        `the definitions are ${stale} s old: D1, KV or the project object does not answer /flags/`,
      )
      return `on after ${on}, off after ${off}`
    },
    advice: CHANGES,
  },
  {
    name: 'Of ten changes in a row, the last is served: KV takes one write a second',
    async check(context) {
      const { createFlag, call } = await context.project()
      const { id, key } = await createFlag('verify-burst')
      for (let change = 1; change <= 10; change++) {
        const { version } = await call<Flag>('PATCH', `feature_flags/${id}/`, { active: change % 2 === 0 })
        ensure(version === change + 1, `change ${change} has version ${version}`)
      }
      return untilServed(context, key, 11)
    },
    advice: CHANGES,
  },
  {
    name: 'A flag of 400 KiB is published',
    async check(context) {
      const { createFlag, call } = await context.project()
      const filters = {
        groups: [{ rollout_percentage: 100 }],
        payloads: { true: JSON.stringify('x'.repeat(400 * 1024)) },
      }
      const { id, key } = await createFlag('verify-large', { filters })
      const took = await untilServed(context, key, 1)
      await call('PATCH', `feature_flags/${id}/`, { deleted: true })
      return took
    },
    advice: CHANGES,
  },
  {
    name: 'A change of what somebody else has changed is refused',
    async check({ service, project }) {
      const { id: projectId, createFlag, call } = await project()
      const original = await createFlag('verify-conflict')
      const changed = (percentage: number) => ({
        filters: { groups: [{ rollout_percentage: percentage }] },
        version: original.version,
        original_flag: original,
      })
      await call('PATCH', `feature_flags/${original.id}/`, changed(10))
      const path = `/api/projects/${projectId}/feature_flags/${original.id}/`
      const answer = await service.sendWithKey('PATCH', path, { body: changed(20) })
      ensure(answer.status === 409, describe('a change of an older version', answer))
    },
    advice:
      'The project object serializes writes: keep [[durable_objects.bindings]] PROJECTS and [[migrations]] in wrangler.toml as they are, and deploy.',
  },
  {
    name: 'Encrypted payloads can be stored and read',
    async check({ project }) {
      const { createFlag, call, token } = await project()
      const { key } = await createFlag('verify-sealed', {
        is_remote_configuration: true,
        has_encrypted_payloads: true,
        filters: { groups: [{ rollout_percentage: 100 }], payloads: { true: '"sealed"' } },
      })
      const payload = await call<unknown>('GET', `feature_flags/${key}/remote_config/?token=${token}`)
      ensure(payload === '"sealed"', `remote_config answered ${JSON.stringify(payload)}`)
    },
    advice:
      'The secret PAYLOAD_KEYS is missing or not valid. `npm run deploy` makes it where it is missing; see "Secrets" in the guide Deploying.',
  },
  {
    name: 'History: activity and earlier versions of a flag can be read',
    async check({ project }) {
      const { createFlag, call } = await project()
      const { id } = await createFlag('verify-history')
      await call('PATCH', `feature_flags/${id}/`, OFF)
      const { results } = await call<{ results: { activity: string }[] }>(
        'GET',
        `feature_flags/${id}/activity/`,
      )
      const verbs = results.map(({ activity }) => activity).join(', ')
      ensure(verbs === 'updated, created', `the activity of a flag that was created and updated is: ${verbs}`)
      const first = await call<Flag>('GET', `feature_flags/${id}/versions/1/`)
      ensure(first.active, `version 1 was read as ${JSON.stringify(first)}`)
    },
    advice: 'Check with `npm run deploy -- --plan` that all migrations have run. If they have, report a bug.',
  },
  {
    name: 'test_evaluation explains a result',
    async check({ project }) {
      const { createFlag, call } = await project()
      const { id } = await createFlag('verify-explained')
      const { result, reason } = await call<{ result: unknown; reason: string }>(
        'POST',
        `feature_flags/${id}/test_evaluation/`,
        { distinct_id: 'halyard-verify' },
      )
      ensure(
        result === true && reason === 'condition_match',
        `it answered ${JSON.stringify({ result, reason })}`,
      )
    },
    advice:
      'Check that TEST_EVALUATION_RATE is among [[ratelimits]] in wrangler.toml, and deploy. The log has the error.',
  },
  {
    name: 'Local evaluation gets the definitions',
    async check(context) {
      const { createFlag, token } = await context.project()
      const { key } = await createFlag('verify-local')
      const path = `/api/feature_flag/local_evaluation/?token=${token}`
      await until(context, freshnessSeconds(context), `local evaluation did not have ${key}`, async () => {
        const { flags } = await context.service.call<{ flags: Flag[] }>('GET', path)
        return flags.some((flag) => flag.key === key) ? true : null
      })
    },
    advice: CHANGES,
  },
  {
    name: "OpenFeature's protocol (OFREP) evaluates",
    async check(context) {
      const { createFlag, token } = await context.project()
      const { key } = await createFlag('verify-ofrep')
      const path = `/ofrep/v1/evaluate/flags/${key}`
      await until(context, freshnessSeconds(context), `${path} did not answer true`, async () => {
        const answer = await context.service.send('POST', path, {
          headers: { Authorization: `Bearer ${token}` },
          body: { context: { targetingKey: 'halyard-verify' } },
        })
        if (answer.status === 404) return null
        ensure(answer.status === 200, describe(`POST ${path}`, answer))
        return answer.json<{ value: unknown }>().value === true ? true : null
      })
    },
    advice: PROXY,
  },
  {
    name: 'A stream announces a change',
    async check(context) {
      const { createFlag, token } = await context.project()
      const end = new AbortController()
      const response = await context.service.open(`/flags/stream/?token=${token}&seconds=60`, end.signal)
      try {
        if (response.status !== 200)
          ensure(
            false,
            describe('GET /flags/stream/', { status: response.status, text: await response.text() }),
          )
        const events = eventsOf(context, response)
        const first = await events()
        await createFlag('verify-stream')
        const started = context.now()
        const second = await events()
        ensure(
          second > first,
          `the event after a change has the generation ${second}, the one before it ${first}`,
        )
        return `${((context.now() - started) / 1000).toFixed(1)} s`
      } finally {
        end.abort()
      }
    },
    advice:
      'STREAMS_PER_PROJECT must not be 0 if clients use streams. A proxy in front of the Worker must pass on each part of an answer as it comes, without buffering it.',
  },
]

const EVENT_SECONDS = 15

/**
 * Reads the events of a stream.
 * @returns a function that waits for the next event, and returns its generation
 */
function eventsOf({ wait }: Context, { body }: Response): () => Promise<number> {
  ensure(body, 'the stream has no body')
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return async () => {
    const late = wait(EVENT_SECONDS * 1000).then(() => 'late' as const)
    // The run may end first.
    late.catch(() => {})
    for (;;) {
      const [whole, generation] = /^[^]*?\bid: (\d+)\ndata: .*\n\n/.exec(text) ?? []
      if (whole) {
        text = text.slice(whole.length)
        return Number(generation)
      }
      const part = await Promise.race([reader.read(), late])
      ensure(part !== 'late', `no event came within ${EVENT_SECONDS} s`)
      ensure(!part.done, 'the stream ended')
      text += part.value
    }
  }
}
