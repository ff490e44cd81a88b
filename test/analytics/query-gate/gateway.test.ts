// Turns of heavy queries, by way of real objects.
import { env, waitUntil } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import type { QueueLimits } from '../../../src/analytics/query-gate/fair-queue'
import { createQueryGates } from '../../../src/analytics/query-gate/query-gate-client'

const LIMITS: QueueLimits = { weight: 2, perOrganization: 1, waiting: 3, waitingPerOrganization: 2 }

let lastShard = 0

/** A gate that no other test uses. */
function newGate(waitMs = 30) {
  lastShard += 1
  const shard = `GATE_${lastShard}`
  const gates = createQueryGates(env.QUERY_GATES, waitUntil, waitMs)
  const started: string[] = []
  /** Passes the gate with a query that continues until it is ended. */
  async function pass(name: string, organizationId: string, weight = 1) {
    const query = Promise.withResolvers<string>()
    const gate = { organizationId, store: { shard, queryEngine: 'd1' as const }, limits: LIMITS }
    const { result } = await gates.pass(gate, weight, () => {
      started.push(name)
      return query.promise
    })
    return { ...query, result }
  }
  return { pass, started }
}

const OWN = { status: 429, code: 'throttled', headers: { 'Retry-After': '1' } }
const SHARED = { status: 503, code: 'query_capacity', headers: { 'Retry-After': '5' } }

describe('a gate', () => {
  it('starts the next query of an organization after the previous one', async () => {
    const { pass, started } = newGate(5_000)
    const first = await pass('first', 'a')
    const second = pass('second', 'a')
    const other = await pass('other', 'b')
    expect(started).toEqual(['first', 'other'])
    first.resolve('rows')
    expect(await first.result).toBe('rows')
    const { resolve, result } = await second
    expect(started).toEqual(['first', 'other', 'second'])
    resolve('more rows')
    expect(await result).toBe('more rows')
    other.resolve('')
  })

  it('ends the turn of a query that fails', async () => {
    const { pass } = newGate(5_000)
    const first = await pass('first', 'a')
    first.reject(new Error('D1_ERROR'))
    await expect(first.result).rejects.toThrow('D1_ERROR')
    const second = await pass('second', 'a')
    second.resolve('')
  })

  it('rejects a query that waited too long, with the reason', async () => {
    const { pass, started } = newGate()
    const heavy = await pass('heavy', 'a', 2)
    await expect(pass('own', 'a')).rejects.toMatchObject(OWN)
    await expect(pass('other', 'b')).rejects.toMatchObject(SHARED)
    heavy.resolve('')
    await heavy.result
    // What was turned away does not start later.
    const next = await pass('next', 'a')
    next.resolve('')
    expect(started).toEqual(['heavy', 'next'])
  })

  it('rejects a query immediately when the queue is full', async () => {
    const { pass } = newGate(60_000)
    const heavy = await pass('heavy', 'a', 2)
    const waiting = [pass('own 1', 'a'), pass('own 2', 'a')]
    await expect(pass('own 3', 'a')).rejects.toMatchObject(OWN)
    waiting.push(pass('other', 'b'))
    await expect(pass('one more', 'c')).rejects.toMatchObject(SHARED)
    heavy.resolve('')
    for (const each of waiting) (await each).resolve('')
  })

  it('is separate per shard', async () => {
    const [one, other] = [newGate(), newGate()]
    const queries = [await one.pass('query', 'a', 2), await other.pass('query', 'a', 2)]
    for (const { resolve } of queries) resolve('')
  })
})
