// Attempts by a caller who may write endpoints. What the compiler refuses is compiled, one of each kind over HTTP; everything else is created, run and
// materialized over HTTP. Never a 5xx or another project's row, and an error has a reason.
import { beforeAll, describe, expect, it } from 'vitest'
import { queryVariables } from '../../../drizzle'
import { HogqlError } from '../../../src/hogql/error'
import { createMaterializingTenant, type MaterializingTenant } from '../../support/endpoints/materialization'
import { createTenant, database } from '../../support/tenant'
import { compileQuestion, forD1 } from '../corpus/ask'
import { comparable } from '../corpus/compare'
import { NOW, OTHER_PROJECT, PROJECT, TELL_TALE } from '../corpus/dataset'
import { loadIntoD1 } from '../corpus/load-d1'
import { ATTEMPTS } from './attempts'
import type { Attempt } from './attempt'
import { AT_ONCE } from './injection'

let tenant: MaterializingTenant
beforeAll(async () => {
  tenant = await createMaterializingTenant()
  tenant.clock.advance({ milliseconds: NOW.getTime() - tenant.clock.now().getTime() })
  await loadIntoD1(tenant.projectId, PROJECT)
  await loadIntoD1((await createTenant()).projectId, OTHER_PROJECT)
  await database()
    .insert(queryVariables)
    .values(
      (
        [
          ['v', 'String'],
          ['list', 'List'],
          ['n', 'Number'],
          ...Array.from({ length: AT_ONCE }, (_, index) => [`v${index}`, 'String'] as const),
        ] as const
      ).map(([codeName, type]) => ({
        id: crypto.randomUUID(),
        projectId: tenant.projectId,
        name: codeName,
        codeName,
        type,
        defaultValue: null,
        values: null,
        createdAt: '2026-03-01T00:00:00.000000Z',
      })),
    )
})

let count = 0

async function attempt({ sql, variables = {} }: Attempt) {
  const name = `attempt-${++count}`
  const created = await tenant.post(tenant.endpoints(), { name, query: { kind: 'HogQLQuery', query: sql } })
  if (created.status !== 201) return { created, ran: null }
  const values = Object.fromEntries(Object.entries(variables).map(([code, { value }]) => [code, value]))
  return { created, ran: await tenant.post(tenant.endpoints(`${name}/run`), { variables: values }) }
}

/** These take seconds each time that they are compiled or run, and others of their kind are materialized. */
const NOT_MATERIALIZED = new Set([
  'conditions, two thousand',
  'a list of five thousand',
  'arrays of everything',
])

/** What stored rows answer, or why the query has none: a rejection, or the error of the build. */
async function materialized(name: string): Promise<{ rows: unknown[][] } | { reason: string }> {
  const asked = await tenant.patch(tenant.endpoints(name), { is_materialized: true })
  if (asked.status === 400) return { reason: asked.body.detail as string }
  expect(asked.status).toBe(200)
  await tenant.consume()
  const { body } = await tenant.get(tenant.endpoints(`${name}/materialization_status`))
  if (body.status === 'Failed') return { reason: body.error as string }
  const ran = await tenant.post(tenant.endpoints(`${name}/run`))
  expect(ran).toMatchObject({ status: 200, body: { endpoint_materialized: true } })
  return { rows: ran.body.results as unknown[][] }
}

type Refused = Extract<Attempt['outcome'], { refused: RegExp }>
type Taken = Exclude<Attempt['outcome'], Refused>
const isRefused = (each: Attempt): each is Attempt & { outcome: Refused } => 'refused' in each.outcome
const isTaken = (each: Attempt): each is Attempt & { outcome: Taken } => !isRefused(each)

describe.each(Object.entries(ATTEMPTS))('%s', { timeout: 60_000 }, (_, attempts) => {
  const refusals = attempts.filter(isRefused)

  it.each(refusals)('refuses $name', async ({ outcome, ...each }) => {
    const failure = await compileQuestion(each)
      .then(forD1)
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(HogqlError)
    expect((failure as HogqlError).message).toMatch(outcome.refused)
  })

  it.each(refusals.slice(0, 1))('rejects with 400 $name', async (each) => {
    const { created, ran } = await attempt(each)
    expect(ran).toBe(null)
    expect(created).toMatchObject({
      status: 400,
      body: { type: 'validation_error', attr: 'query', detail: expect.stringMatching(each.outcome.refused) },
    })
    expect(created.body.detail).not.toMatch(/unknown error/i)
  })

  it.each(attempts.filter(isTaken))('$name', async ({ outcome, ...each }) => {
    const { created, ran } = await attempt({ outcome, ...each })
    expect(created.body.detail).toBe(undefined)
    const { name } = created.body as { name: string }
    const stored = each.variables || NOT_MATERIALIZED.has(each.name) ? null : await materialized(name)
    if ('stopped' in outcome) {
      expect(ran).toMatchObject({ status: 400, body: { detail: expect.stringMatching(outcome.stopped) } })
      if (stored) expect(stored).toEqual({ reason: expect.stringMatching(outcome.stopped) })
      return
    }
    expect(ran?.status).toBe(200)
    const { results } = ran!.body
    if (stored && 'rows' in stored) expect(comparable(stored.rows)).toEqual(comparable(results))
    for (const text of [TELL_TALE, 'bbbbbbbb', '99999999', 'CREATE TABLE']) {
      expect(JSON.stringify(results)).not.toContain(text)
    }
    if ('own' in outcome) expect(results).toHaveLength(outcome.own)
    else expect(comparable(results)).toEqual(comparable(outcome.rows))
  })
})

it('leaves the service in order', async () => {
  const { ran } = await attempt({ name: '', sql: 'SELECT count() FROM events', outcome: { own: 1 } })
  expect(ran?.body.results).toEqual([[86]])
})
