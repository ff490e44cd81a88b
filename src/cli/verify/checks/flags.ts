// Checks that writes of flags reach everything that reads them, through the address of the deployment.
import { type Check, type Context, until } from '../check'
import { ensure } from '../outcome'
import { describe } from '../service'
import type { Flag } from '../temporary-project'

const OFF = { active: false }

const CHANGES =
  'Look for `publishing a change failed` and `KV did not take a document` in the log, and check FRESHNESS_SECONDS. A cache in front of the Worker must not store /flags/.'

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
      const { id, key } = await createFlag('verify-read')
      const requireActive = async (expected: boolean, after: string) => {
        const { active } = await call<Flag>('GET', `feature_flags/${id}/`)
        ensure(active === expected, `active of ${key} was read as ${active} after it was ${after}`)
      }
      const requireListed = async (count: number, after: string) => {
        const { results } = await call<{ results: Flag[] }>('GET', `feature_flags/?search=${key}`)
        ensure(results.length === count, `the list has ${results.length} flags ${key} after it was ${after}`)
      }
      await requireActive(true, 'created')
      await requireListed(1, 'created')
      await call('PATCH', `feature_flags/${id}/`, OFF)
      await requireActive(false, 'disabled')
      await call('PATCH', `feature_flags/${id}/`, { deleted: true })
      await requireListed(0, 'deleted')
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
