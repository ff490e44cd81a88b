// What materializations leave behind when they are given up, whatever their builds were about to do: nothing.
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { endpointMaterializations } from '../../../drizzle'
import { event, sendEach } from '../../support/capture'
import { hogql } from '../../support/endpoints/endpoints'
import {
  createMaterializingTenant,
  interceptedShard,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { configuredEndpoint, SECOND } from '../../support/endpoints/materialization-settings'
import { database } from '../../support/tenant'

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
  await sendEach(tenant, [event('a')])
})

describe('nothing is left', () => {
  const counts = async () => ({
    tables: Object.keys(await materializedTables()).length,
    rows: (await database().select().from(endpointMaterializations)).length,
    registered: await env.EVENTS.prepare('SELECT count(*) AS n FROM materialized_tables').first<number>('n'),
    objects: await env.EVENTS.prepare('SELECT count(*) AS n FROM sqlite_master').first<number>('n'),
  })

  it.each<[string, (made: Awaited<ReturnType<typeof configuredEndpoint>>) => Promise<unknown>]>([
    ['DELETE', ({ path }) => tenant.delete(path)],
    ['deleted: true', ({ update }) => update({ deleted: true })],
    ['is_active: false', ({ update }) => update({ is_active: false })],
    [
      'is_materialized: false, of each version',
      async ({ update }) => {
        for (const version of [1, 2]) await update({ is_materialized: false, version })
      },
    ],
  ])('after %s, of builds that are done, under way and dead', async (_, end) => {
    // Of other tests.
    await tenant.dropTables()
    const before = await counts()
    const made = await configuredEndpoint(tenant)
    await made.update({ query: hogql(SECOND) })
    await tenant.consume()
    expect(await counts()).toMatchObject({ tables: before.tables + 2, rows: before.rows + 2 })
    // A build of the first version is under way, with a table that is half full.
    tenant.clock.advance({ days: 1 })
    const reached = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const EVENTS = interceptedShard(async (texts, run) => {
      const results = await run()
      if (texts.some((text) => text.startsWith('INSERT INTO "mat_'))) {
        reached.resolve()
        await held.promise
      }
      return results
    })
    const message = { projectId: tenant.projectId, versionId: made.current_version_id }
    const building = tenant.consume({ messages: [message], env: { EVENTS } })
    await reached.promise
    expect(await counts()).toMatchObject({ tables: before.tables + 3 })
    await end(made)
    await tenant.dropTables()
    expect(await counts()).toEqual(before)
    held.resolve()
    expect(await building).toEqual({ retried: 0, acked: 1 })
    expect(await tenant.consume({ messages: [message] })).toEqual({ retried: 0, acked: 1 })
    expect(await counts()).toEqual(before)
    expect(tenant.faults).toEqual([])
  })
})
