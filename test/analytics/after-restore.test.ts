// A main database that was restored to an earlier state, beside a shard that was not.
import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { AFTER_RESTORE } from '../../src/cli/deploy/after-restore'
import { COUNTS, materializedEndpoint, nextMinute } from '../support/endpoints/builds'
import { event, sendEach } from '../support/capture'
import { createMaterializingTenant } from '../support/endpoints/materialization'
import { createTenant } from '../support/tenant'
import { emptyStorage } from '../support/databases'

beforeAll(emptyStorage)

/** The row of a table; the returned function restores it, and does what belongs behind that. */
async function rememberRow(table: string, key: string, value: string | number): Promise<() => Promise<void>> {
  const row = (await env.DB.prepare(`SELECT * FROM ${table} WHERE ${key} = ?`).bind(value).first())!
  const columns = Object.keys(row)
  return async () => {
    await env.DB.batch([
      env.DB.prepare(
        `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ${key} = ?`,
      ).bind(...Object.values(row), value),
      ...AFTER_RESTORE.map((statement) => env.DB.prepare(statement)),
    ])
  }
}

it('rebuilds rows after a restore', async () => {
  const tenant = await createMaterializingTenant()
  const build = async () => {
    tenant.clock.advance({ minutes: 60 })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
  }
  const made = await materializedEndpoint(tenant, COUNTS, { data_freshness_seconds: 3600 })
  await tenant.consume()
  const restore = await rememberRow('endpoint_materializations', 'version_id', made.message.versionId)
  await sendEach(tenant, [event('ada', {}, 'a')])
  await build()
  expect((await made.run()).results).toEqual([['a', 1]])

  await restore()
  await sendEach(tenant, [event('ada', {}, 'a')])
  await build()
  expect(await made.status()).toMatchObject({ status: 'Completed', error: '' })
  expect((await made.run()).results).toEqual([['a', 2]])
  expect(tenant.faults).toEqual([])
})

it('copies changed persons over later versions from before a restore', async () => {
  const tenant = await createTenant()
  const setPlan = (plan: string) => sendEach(tenant, [event('ada', { $set: { plan } })])
  const copiedPlan = () =>
    env.EVENTS.prepare(`SELECT properties ->> 'plan' AS plan FROM persons WHERE project_id = ?`)
      .bind(tenant.projectId)
      .first('plan')
  await setPlan('free')
  const restore = await rememberRow('projects', 'id', tenant.projectId)
  await setPlan('pro')
  await setPlan('team')
  expect(await copiedPlan()).toBe('team')

  await restore()
  await setPlan('enterprise')
  expect(await copiedPlan()).toBe('enterprise')
})
