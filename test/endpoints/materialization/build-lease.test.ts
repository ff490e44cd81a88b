// One build of a version at a time, be it dead, slow, or asked for again.
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeProjectDue } from '../../../src/endpoints/materialization/send-due-builds'
import { toStoredTimestamp } from '../../../src/timestamps'
import {
  COUNTS,
  materializedEndpoint,
  nextMinute,
  NOTHING_UNDER_WAY,
  numbersBelow,
} from '../../support/endpoints/builds'
import { event, sendEach } from '../../support/capture'
import { hogql } from '../../support/endpoints/endpoints'
import { configureProject } from '../../support/database/rows'
import {
  createMaterializingTenant,
  interceptedShard,
  materializedTables,
  type MaterializingTenant,
} from '../../support/endpoints/materialization'
import { database } from '../../support/tenant'
import { emptyStorage } from '../../support/databases'

beforeAll(emptyStorage)

let tenant: MaterializingTenant
beforeEach(async () => {
  tenant = await createMaterializingTenant()
})

/** A shard that stands still before the n-th statement that writes rows, until it is let go. */
function stalling(at: number) {
  const reached = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  let calls = 0
  const EVENTS = interceptedShard(async (texts, run) => {
    if (texts.some((text) => text.startsWith('INSERT INTO "mat_')) && ++calls === at) {
      reached.resolve()
      await held.promise
    }
    return run()
  })
  return { EVENTS, reached: reached.promise, letGo: held.resolve }
}

describe('a build that dies', () => {
  it('is begun again by another consumer, in a table of its own', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(3_000))
    const dead = stalling(3)
    const died = tenant.consume({ chunk: 1_000, env: { EVENTS: dead.EVENTS } })
    await dead.reached
    expect(await made.status()).toMatchObject({ status: 'Running', ready: false })
    // While it may be alive nobody else does anything.
    expect(await nextMinute(tenant)).toBe(0)
    expect(await tenant.consume({ messages: [made.message] })).toEqual({ retried: 0, acked: 1 })
    expect(await materializedTables(made.id)).toEqual({ [made.table(1)]: 2_000 })
    tenant.clock.advance({ minutes: 3 })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    const completed = { ...NOTHING_UNDER_WAY, status: 'Completed', rowCount: 3_000, generation: 2 }
    expect(await made.row()).toMatchObject(completed)
    expect((await made.status()).last_materialized_at).toBe('2026-03-10T12:03:00Z')
    await tenant.dropTables()
    // The first one was only slow: it finds that it lost the version, and changes nothing.
    dead.letGo()
    expect(await died).toEqual({ retried: 0, acked: 1 })
    expect(tenant.faults).toEqual([])
    expect(await made.row()).toMatchObject(completed)
    expect(await materializedTables(made.id)).toEqual({ [made.table(2)]: 3_000 })
  })
})

/** What ClickHouse responds with. @param rows JSON, each on a line. */
function resultOf(rows: readonly string[]): Response {
  const data = rows.map((row) => `\t\t${row}`).join(',\n')
  const body = `{\n\t"meta":\n\t[\n\t],\n\n\t"data":\n\t[\n${data}\n\t],\n\n\t"rows": ${rows.length}\n}\n`
  return new Response(body, { headers: { 'X-ClickHouse-Summary': '{"written_rows":"0"}' } })
}

describe('a build on a server that takes long', () => {
  /** ClickHouse at `url`, which has a statement and says nothing until it is let go. Other requests of the isolate pass. */
  function stalledServer(url: string) {
    const asked = Promise.withResolvers<void>()
    const response = Promise.withResolvers<Response>()
    const server = vi.fn<() => Promise<Response>>(() => {
      asked.resolve()
      return response.promise
    })
    const send = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
      (input instanceof Request ? input.url : String(input)).startsWith(url) ? server() : send(input, init),
    )
    const respond = (rows: readonly string[]) => response.resolve(resultOf(rows))
    return { server, asked: asked.promise, respond }
  }
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('keeps its lease while it runs, and is asked for once', async () => {
    const url = `https://${crypto.randomUUID()}.example.com`
    tenant = await createMaterializingTenant({ CLICKHOUSE_URL: url })
    await configureProject(tenant, { queryEngine: 'clickhouse' })
    const made = await materializedEndpoint(tenant, numbersBelow(2))
    const { server, asked, respond } = stalledServer(url)
    const building = tenant.consume({ renewMs: 5 })
    await asked
    for (let times = 0; times < 5; times += 1) {
      tenant.clock.advance({ seconds: 10 })
      const until = toStoredTimestamp(new Date(tenant.clock.now().getTime() + 15_000))
      await vi.waitFor(async () => expect((await made.row())!.buildUntil).toBe(until), { timeout: 5_000 })
      expect(await nextMinute(tenant)).toBe(0)
      expect(await tenant.consume({ messages: [made.message] })).toEqual({ retried: 0, acked: 1 })
    }
    respond(['[1]', '[0]'])
    expect(await building).toEqual({ retried: 0, acked: 1 })
    expect(server).toHaveBeenCalledTimes(1)
    expect(await made.row()).toMatchObject({
      ...NOTHING_UNDER_WAY,
      status: 'Completed',
      rowCount: 2,
      generations: 1,
      failures: 0,
    })
    // What it said last was before it ended: the next build is let in at once.
    tenant.clock.advance({ days: 1 })
    expect(await nextMinute(tenant)).toBe(1)
    server.mockResolvedValue(resultOf(['[1]', '[0]']))
    await tenant.consume()
    expect(await made.row()).toMatchObject({ generation: 2, rowCount: 2 })
    expect(tenant.faults).toEqual([])
  })
})

describe('the queue', () => {
  it('does not get versions twice, until it seems lost', async () => {
    const made = await materializedEndpoint(tenant, COUNTS)
    expect(await nextMinute(tenant)).toBe(1)
    tenant.clock.advance({ minutes: 4 })
    expect(await nextMinute(tenant)).toBe(0)
    tenant.clock.advance({ minutes: 1 })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, status: 'Completed' })
  })
})

describe('two builds of one version', () => {
  it('never run concurrently', async () => {
    const made = await materializedEndpoint(tenant, COUNTS)
    const first = stalling(1)
    const slow = tenant.consume({ messages: [made.message], env: { EVENTS: first.EVENTS } })
    await first.reached
    const others = await Promise.all(
      Array.from({ length: 5 }, () => tenant.consume({ messages: [made.message, made.message] })),
    )
    expect(others).toEqual(others.map(() => ({ retried: 0, acked: 2 })))
    expect(await made.row()).toMatchObject({ building: 1, generation: null, status: 'Running' })
    first.letGo()
    await slow
    expect(await made.row()).toMatchObject({ generation: 1, generations: 1, status: 'Completed' })
  })

  it('run again when the version becomes due during a build', async () => {
    const made = await materializedEndpoint(tenant, numbersBelow(3_000))
    const slow = stalling(2)
    const done = tenant.consume({ chunk: 1_000, env: { EVENTS: slow.EVENTS } })
    await slow.reached
    tenant.clock.advance({ seconds: 1 })
    await makeProjectDue(database(), tenant.projectId, tenant.clock.now())
    slow.letGo()
    await done
    expect(await made.row()).toMatchObject({ ...NOTHING_UNDER_WAY, status: 'Completed', generation: 1 })
    expect(await nextMinute(tenant)).toBe(1)
    await tenant.consume()
    expect(await made.row()).toMatchObject({ status: 'Completed', generation: 2 })
    expect(await nextMinute(tenant)).toBe(0)
  })

  it('run one after the other when settings change during a build', async () => {
    await sendEach(tenant, [event('a')])
    const { id } = await tenant.variable({ name: 'Since', type: 'Date' })
    const query = hogql('SELECT count() AS n FROM events WHERE timestamp >= {variables.since}', {
      variables: { [id]: { variableId: id, code_name: 'since', value: '2026-03-01' } },
    })
    const made = await materializedEndpoint(tenant, '', { query })
    const first = stalling(1)
    const slow = tenant.consume({ env: { EVENTS: first.EVENTS } })
    await first.reached
    const { body } = await tenant.patch(tenant.endpoints(made.name), {
      bucket_overrides: { timestamp: 'hour' },
    })
    expect(body).toMatchObject({ materialization: { status: 'Modified' } })
    expect(tenant.waiting).toEqual([made.message])
    await tenant.consume()
    first.letGo()
    await slow
    // The rows are there, and are not those that were asked for last.
    expect(await made.status()).toMatchObject({ status: 'Modified', ready: true })
    expect(tenant.waiting).toEqual([made.message])
    await tenant.consume()
    expect(await made.status()).toMatchObject({ status: 'Completed', ready: true })
    expect(await made.row()).toMatchObject({ generation: 2, revision: 2 })
    await tenant.dropTables()
    expect(Object.keys(await materializedTables(made.id))).toEqual([made.table(2)])
  })
})
