// Requests that the document describes, and requests that it does not, for each of its operations: whatever is sent, the response is one that
// the document declares, nothing crashes, and nothing of another tenant shows or changes.
//
// `npm run fuzz` sends 20,000 in all. Each day has a seed of its own, unless `FUZZ_SEED` is set. A failure says how to repeat it.
import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dailySeed } from '../support/daily-seed'
import type { PlayedModel } from '../support/server/model'
import { complaintsAbout } from './complaints'
import { type Documented, documented } from './requests/document'
import { type FuzzRequest, requestsFor } from './requests/request'
import { createModel, createSender, type Sender } from './send'
import { soundRequest } from './sound'
import { createTally } from './tally'
import { createVictim, type Victim } from './victim'

const ALL_RUNS = Number(env.FUZZ_RUNS || 200)
const SEED = Number(env.FUZZ_SEED || dailySeed())
/** Half of all requests go to one operation after another, each with a tenant of its own. */
const RUNS = Math.max(2, Math.ceil(ALL_RUNS / 2 / documented.length))
/** Operations of an environment are those of its project, as test/security/environments.test.ts shows: `npm run fuzz` calls them, too. */
const OPERATIONS = env.FUZZ_RUNS
  ? documented
  : documented.filter(({ path }) => !path.startsWith('/api/environments/'))

const tally = createTally()
let victim: Victim
let model: PlayedModel
let before: Record<string, unknown[]>
beforeAll(async () => {
  victim = await createVictim()
  model = await createModel(Math.max(500, ALL_RUNS))
  before = await victim.rows()
}, 60_000)
afterAll(() => {
  if (env.FUZZ_RUNS) process.stdout.write(tally.report())
})

/** A seed of its own for each test: alone it gets the requests that it gets among the others. */
const seedOf = (name: string) =>
  [...name].reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) | 0, SEED)

/** @throws Error with all that is wrong with the response */
async function sendAndCheck(sender: Sender, operation: Documented, request: FuzzRequest): Promise<void> {
  const sent = await sender.send(operation, request)
  tally.add(operation, sent.answer.status)
  const complaints = complaintsAbout(sent, victim)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}

/** Says how to see a failure again, and first of all what is wrong. */
async function assertAll<T>(name: string, property: fc.IAsyncProperty<[T]>, options: fc.Parameters<[T]>) {
  try {
    await fc.assert(property, { seed: seedOf(name), ...options })
  } catch (error) {
    const { cause, message } = error as Error
    const again = `FUZZ_SEED=${SEED} FUZZ_RUNS=${ALL_RUNS} npm run fuzz -- -t '${name.replaceAll(/[{}]/g, '.')}$'`
    const what = cause instanceof Error ? cause.message : ''
    throw new Error([again, what, message].join('\n'), { cause: error })
  }
}

describe('responses to generated requests match the document for', () => {
  it.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const sender = await createSender(victim, model)
      const property = fc.asyncProperty(requestsFor(operation), (request) =>
        sendAndCheck(sender, operation, request),
      )
      await assertAll(operation.name, property, { numRuns: RUNS, examples: [[soundRequest(operation)]] })
    },
    600_000,
  )
})

/** What is done with the same things: the state that one operation leaves is what the next one meets. */
const NEIGHBOURS: Record<string, RegExp> = {
  'flags, people and SDKs':
    /feature_flag|cohorts|dashboards|property_definitions|^\/(batch|flags|ofrep|array)\//,
  'saved queries': /^\/api\/projects\/\{\w+\}\/(endpoints|insight_variables|property_definitions)|^\/batch\//,
  accounts:
    /users|login|personal_api_keys|organizations|signup|chat|integrations|^\/api\/projects\/(\{\w+\}\/)?$/,
}
const STEPS = 30
const MAX_SEQUENCES_MS = 300_000
const SEQUENCES = Math.max(1, Math.round(ALL_RUNS / 2 / Object.keys(NEIGHBOURS).length / STEPS))

describe('responses in sequence match the document for', () => {
  it.each(Object.entries(NEIGHBOURS))(
    '%s',
    async (name, paths) => {
      const operations = documented.filter(({ path }) => paths.test(path))
      const step = fc.oneof(
        ...operations.map((operation) =>
          fc.record({ operation: fc.constant(operation.name), request: requestsFor(operation) }),
        ),
      )
      const steps = fc.array(step, { minLength: STEPS, maxLength: STEPS, size: 'max' })
      const property = fc.asyncProperty(steps, async (sequence) => {
        const sender = await createSender(victim, model)
        for (const [index, { operation, request }] of sequence.entries()) {
          const called = documented.find((each) => each.name === operation)!
          await sendAndCheck(sender, called, request).catch((error: Error) => {
            throw new Error(`step ${index}: ${error.message}`, { cause: error })
          })
        }
      })
      // Shorter sequences that fail as well would take long to find. On a busy machine, a sequence takes longer than other properties may.
      await assertAll(name, property, {
        numRuns: SEQUENCES,
        endOnFailure: true,
        interruptAfterTimeLimit: MAX_SEQUENCES_MS,
      })
    },
    1_200_000,
  )
})

/** What seldom comes together by chance: a person who is in the cohort, and a member of no other organization. What only staff may do, or needs DNS. */
const RARE = new Set([
  'GET /api/instance_status/',
  'POST /api/organizations/{organization_id}/sso/verify_domain/',
  'PATCH /api/projects/{project_id}/cohorts/{id}/remove_person_from_static_cohort/',
  'POST /api/organizations/{organization_id}/members/{user_uuid}/password_reset/',
])

it('gets through to every operation', () => {
  expect(tally.neverDone().filter((name) => !RARE.has(name))).toEqual([])
})

it('has left the other tenant as it was', async () => {
  expect(await victim.rows()).toEqual(before)
})
