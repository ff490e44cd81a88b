// Every attempt over HTTP by a caller who may write endpoints: created, and run where that was allowed. Never a 5xx or another project's
// row, and an error has a reason.
import { beforeAll, describe, expect, it } from 'vitest'
import { queryVariables } from '../../../drizzle'
import { testClock } from '../../support/clock'
import { createHarness } from '../../support/harness'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { comparable } from '../corpus/compare'
import { NOW, OTHER_PROJECT, PROJECT, TELL_TALE } from '../corpus/dataset'
import { loadIntoD1 } from '../corpus/load-d1'
import { ATTEMPTS } from './attempts'
import type { Attempt } from './attempt'

let tenant: Tenant
beforeAll(async () => {
  tenant = await createTenant({ harness: createHarness({ clock: testClock(NOW.toISOString()) }) })
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

describe.each(Object.entries(ATTEMPTS))('%s', (_, attempts) => {
  it.each(attempts)('$name', async ({ outcome, ...each }) => {
    const { created, ran } = await attempt({ outcome, ...each })
    if (!ran) {
      expect(created).toMatchObject({
        status: 400,
        body: { type: 'validation_error', attr: 'query', detail: expect.stringMatching(/\w/) },
      })
      expect(created.body.detail).not.toMatch(/unknown error/i)
    }
    if ('refused' in outcome) {
      expect(ran).toBe(null)
      expect(created.body.detail).toMatch(outcome.refused)
      return
    }
    expect(created.body.detail).toBe(undefined)
    if ('stopped' in outcome) {
      expect(ran).toMatchObject({ status: 400, body: { detail: expect.stringMatching(outcome.stopped) } })
      return
    }
    expect(ran?.status).toBe(200)
    const { results } = ran!.body
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
