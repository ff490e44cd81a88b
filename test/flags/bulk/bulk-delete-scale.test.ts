// What a bulk delete costs, counted in the response's log line.
import { env } from 'cloudflare:workers'
import { and, count, countDistinct, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { activityLog, featureFlags, projects } from '../../../drizzle'
import { createProjectObjects } from '../../../src/project/project-client'
import { createMeter } from '../../../src/storage/metered-d1'
import { generationOf, markInKv } from '../../project/support'
import { experiment, manyFlags, runningExperiment } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

const liveFlags = async ({ projectId }: Tenant) => {
  const [row] = await database()
    .select({ live: count() })
    .from(featureFlags)
    .where(and(eq(featureFlags.projectId, projectId), eq(featureFlags.deleted, false)))
  const [project] = await database().select().from(projects).where(eq(projects.id, projectId))
  expect(project!.liveFlagCount).toBe(row!.live)
  return row!.live
}

describe('bulk_delete of many ids', () => {
  it('takes 6 round trips, with 36 rows read and 13 written a flag', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 2_000)
    await experiment(tenant, ids[7]!)
    const response = await tenant.post(tenant.flags('bulk_delete'), { ids })

    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      deleted: ids.map((id, at) => ({
        id,
        key: `many-${at + 1}`,
        rollout_state: 'fully_rolled_out',
        active_variant: null,
      })),
      errors: [],
    })
    expect(response.line.d1_round_trips).toBeLessThanOrEqual(6)
    expect(response.line.d1_rows_read).toBeLessThanOrEqual(36 * ids.length)
    expect(response.line.d1_rows_written).toBeLessThanOrEqual(13 * ids.length + 1)

    expect(await liveFlags(tenant)).toBe(0)
    const [entries] = await database()
      .select({ rows: count(), flags: countDistinct(activityLog.itemId) })
      .from(activityLog)
      .where(and(eq(activityLog.projectId, tenant.projectId), eq(activityLog.activity, 'deleted')))
    expect(entries).toEqual({ rows: ids.length, flags: ids.length })
    expect(await markInKv(tenant)).toMatchObject({ generation: await generationOf(tenant) })

    const again = await tenant.post(tenant.flags('bulk_delete'), { ids })
    expect(again.body).toEqual({
      deleted: [],
      errors: ids.map((id) => ({ id, key: '', reason: 'Flag not found' })),
    })
    expect(again.line.d1_round_trips).toBeLessThanOrEqual(3)
  }, 60_000)

  it('reads as much for each of 1,000 flags as for each of 200', async () => {
    const perFlag = async (flags: number) => {
      const tenant = await createTenant()
      const ids = await manyFlags(tenant, flags)
      const { line } = await tenant.post(tenant.flags('bulk_delete'), { ids })
      return line.d1_rows_read / flags
    }
    const [few, many] = [await perFlag(200), await perFlag(1_000)]
    expect(many / few).toBeLessThan(1.1)
  }, 60_000)

  it('reads little when 10 of 2,000 flags go', async () => {
    const tenant = await createTenant()
    const ids = (await manyFlags(tenant, 2_000)).filter((_, at) => at % 200 === 0)
    // Publishing reads every flag that stays, as it does after any change.
    const build = createMeter()
    await createProjectObjects(env.PROJECTS, build).publish(tenant.projectId, tenant.clock.now())
    const { body, line } = await tenant.post(tenant.flags('bulk_delete'), { ids })
    expect(line.d1_rows_read - build.rowsRead).toBeLessThanOrEqual(29 * ids.length)
    expect(line.d1_round_trips).toBeLessThanOrEqual(6)
    expect(body.deleted).toHaveLength(10)
    expect(await liveFlags(tenant)).toBe(1_990)
  }, 60_000)
})

/** Ids that no flag of a test has. */
const unknownIds = (length: number, from = 9_000_000) => Array.from({ length }, (_, at) => from + at)
const notFound = (id: number) => ({ id, key: '', reason: 'Flag not found' })

describe('bulk_delete of more ids than a project has flags', () => {
  it('takes 100,000 ids, of which 3 are flags, in the round trips and rows of those 3', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const known = await manyFlags(tenant, 3)
    const [foreign] = await manyFlags(other, 1)
    const unknown = [...unknownIds(99_996), foreign!]
    const { status, body, line } = await tenant.post(tenant.flags('bulk_delete'), {
      ids: [...unknown, ...known],
    })

    expect(status).toBe(200)
    expect((body.deleted as { id: number }[]).map(({ id }) => id)).toEqual(known)
    expect(body.errors).toEqual(unknown.map(notFound))
    expect(line.d1_round_trips).toBeLessThanOrEqual(8)
    expect(line.d1_rows_read).toBeLessThanOrEqual(300)
    expect(await liveFlags(tenant)).toBe(0)
    expect(await liveFlags(other)).toBe(1)
  }, 60_000)

  it('lists members that are no ids and unknown ids before flags that stay', async () => {
    const tenant = await createTenant()
    const [kept, gone] = await manyFlags(tenant, 2)
    await runningExperiment(tenant, kept!)
    const unknown = unknownIds(10_001)
    const { body } = await tenant.post(tenant.flags('bulk_delete'), {
      ids: [kept, 'many-1', ...unknown, gone, 1.5],
    })
    const errors = body.errors as { id: number | null; key: string; reason: string }[]
    expect(errors.slice(0, 2)).toEqual([
      { id: null, key: 'many-1', reason: 'Invalid flag ID format' },
      { id: null, key: '1.5', reason: 'Invalid flag ID format' },
    ])
    expect(errors.slice(2, -1)).toEqual(unknown.map(notFound))
    expect(errors.at(-1)).toMatchObject({ id: kept, reason: expect.stringContaining('running experiment') })
    expect((body.deleted as { id: number }[]).map(({ id }) => id)).toEqual([gone])
  }, 60_000)

  it('takes a body of 8 MiB, and rejects a longer one with 413', async () => {
    const tenant = await createTenant()
    // With its comma, each id has 16 bytes.
    const MAX_IDS = Math.floor((8_388_608 - '{"ids":[]}'.length) / 16)
    const idsOf = (length: number) => unknownIds(length, 900_000_000_000_000)
    const ids = idsOf(MAX_IDS)
    const { status, body, line } = await tenant.post(tenant.flags('bulk_delete'), { ids })
    expect(status).toBe(200)
    const errors = body.errors as unknown[]
    expect(errors).toHaveLength(ids.length)
    expect(errors.at(-1)).toEqual(notFound(ids.at(-1)!))
    expect(line.d1_round_trips).toBeLessThanOrEqual(5)

    const longer = await tenant.post(tenant.flags('bulk_delete'), { ids: idsOf(MAX_IDS + 1) })
    expect([longer.status, longer.body]).toEqual([
      413,
      {
        type: 'invalid_request',
        code: 'request_too_large',
        detail: 'Request body exceeds the maximum of 8388608 bytes.',
        attr: null,
      },
    ])
  }, 60_000)
})
