import { env } from 'cloudflare:workers'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations } from '../../drizzle'
import { ApiError, apiErrorIn } from '../../src/errors'
import { guard, isGuardFailure, isUniqueViolation, openDatabase } from '../../src/storage/database'
import { createMeter, meteredD1 } from '../../src/storage/metered-d1'
import { runBatch } from '../../src/storage/run-batch'
import { interceptedD1 } from '../support/faults/intercepted-d1'

const AT = '2026-03-10T12:00:00.000000Z'
const organization = (id: string) => ({ id, name: id, slug: id, createdAt: AT, updatedAt: AT })

/** A D1 whose every call takes `ms`, or for ever. */
function slowD1(ms: number | null): D1Database {
  const late = () =>
    ms === null ? new Promise(() => {}) : scheduler.wait(ms).then(() => ({ results: [], meta: {} }))
  const statement = { bind: () => statement, all: late }
  return { prepare: () => statement, batch: () => late().then((result) => [result]) } as unknown as D1Database
}

describe('meteredD1', () => {
  it('counts a statement and a batch as one round trip each, with the rows of every statement', async () => {
    const meter = createMeter()
    const db = openDatabase(env.DB, meter)
    await db.insert(organizations).values(['m1', 'm2', 'm3'].map(organization))
    expect(meter).toMatchObject({ roundTrips: 1, rowsRead: 0 })
    expect(meter.rowsWritten).toBeGreaterThanOrEqual(3)
    await db.batch([
      db.select().from(organizations).where(eq(organizations.id, 'm1')),
      db.select().from(organizations).where(eq(organizations.id, 'm2')),
    ])
    expect(meter).toMatchObject({ roundTrips: 2, rowsRead: 2 })
    expect(
      await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.id, 'm3')),
    ).toEqual([{ id: 'm3' }])
    expect(meter).toMatchObject({ roundTrips: 3, rowsRead: 3 })
  })

  it('answers first(), run() and raw() as D1 does', async () => {
    const d1 = meteredD1(env.DB, createMeter())
    const statement = d1.prepare('SELECT ?1 AS a, ?2 AS b').bind(1, 'two')
    expect(await statement.first()).toEqual({ a: 1, b: 'two' })
    expect(await statement.first('b')).toBe('two')
    expect(await statement.raw()).toEqual([[1, 'two']])
    expect((await statement.run()).results).toEqual([{ a: 1, b: 'two' }])
    expect(await d1.prepare('SELECT 1 WHERE 0').first()).toBe(null)
  })

  it('cancels a statement and a batch past the deadline, with 503 and Retry-After', async () => {
    const meter = createMeter()
    const d1 = meteredD1(slowD1(null), meter, { deadlineMs: 20 })
    for (const given of [d1.prepare('SELECT 1').all(), d1.batch([d1.prepare('SELECT 1')])]) {
      const error = await given.then(
        () => null,
        (reason: unknown) => reason,
      )
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({
        status: 503,
        code: 'database_unavailable',
        headers: { 'Retry-After': '1' },
      })
    }
    expect(meter.roundTrips).toBe(2)
  })

  it.each([
    ['a read', 'Network connection lost.', ['SELECT 1']],
    ['a write', 'Network connection lost.', ["UPDATE organizations SET name = name WHERE id = ''"]],
    ['a batch', 'Network connection lost.', ['SELECT 1', "DELETE FROM organizations WHERE id = ''"]],
    ['a read of an overloaded database', 'D1 DB is overloaded. Requests queued for too long.', ['SELECT 1']],
  ])('sends %s once', async (_, message, texts) => {
    const sent: string[][] = []
    const meter = createMeter()
    const d1 = interceptedD1(env.DB, (call) => {
      sent.push(call.texts)
      return Promise.reject(new Error(`D1_ERROR: ${message}`))
    })
    const db = meteredD1(d1, meter)
    const statements = texts.map((text) => db.prepare(text))
    const work = statements.length === 1 ? statements[0]!.all() : db.batch(statements)
    await expect(work).rejects.toMatchObject({ status: 503, code: 'database_unavailable' })
    expect([sent, meter.roundTrips]).toEqual([[texts], 1])
  })

  it('waits for a response that comes in time', async () => {
    const d1 = meteredD1(slowD1(5), createMeter(), { deadlineMs: 1_000 })
    expect(await d1.prepare('SELECT 1').all()).toEqual({ results: [], meta: {} })
  })

  it('lets what D1 rejects with through', async () => {
    const d1 = meteredD1(env.DB, createMeter())
    await expect(d1.prepare('SELECT missing').all()).rejects.toThrow('no such column')
  })
})

describe('apiErrorIn', () => {
  it('finds the 503 in what Drizzle makes of it', async () => {
    const db = openDatabase(meteredD1(slowD1(null), createMeter(), { deadlineMs: 20 }), createMeter())
    const error = await db
      .select()
      .from(organizations)
      .then(
        () => null,
        (reason: unknown) => reason,
      )
    expect(error).not.toBeInstanceOf(ApiError)
    expect(apiErrorIn(error)).toMatchObject({ status: 503 })
    expect(apiErrorIn(new Error('crash', { cause: new Error('deeper') }))).toBe(null)
    expect(apiErrorIn('text')).toBe(null)
  })
})

describe('guard', () => {
  const db = openDatabase(env.DB, createMeter())
  const idsLike = async (prefix: string) =>
    (await db.select({ id: organizations.id }).from(organizations))
      .map(({ id }) => id)
      .filter((id) => id.startsWith(prefix))
      .sort()

  it('lets a batch through when its condition holds', async () => {
    await runBatch(db, [guard(db, sql`1 = 1`), db.insert(organizations).values(organization('pass'))])
    expect(await idsLike('pass')).toEqual(['pass'])
  })

  it.each([
    ['at the start', 0],
    ['in the middle', 1],
    ['at the end', 2],
  ])('rolls the whole batch back when it fails %s', async (_, place) => {
    const inserts = ['stop-1', 'stop-2'].map((id) => db.insert(organizations).values(organization(id)))
    const error = await runBatch(db, inserts.toSpliced(place, 0, guard(db, sql`1 = 0`) as never)).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(isGuardFailure(error)).toBe(true)
    expect(isUniqueViolation(error)).toBe(false)
    expect(await idsLike('stop')).toEqual([])
  })

  it('differs from a unique violation, which rolls back too', async () => {
    const twice = ['twin', 'twin'].map((id) => db.insert(organizations).values(organization(id)))
    const error = await runBatch(db, twice).then(
      () => null,
      (reason: unknown) => reason,
    )
    expect(isUniqueViolation(error)).toBe(true)
    expect(isGuardFailure(error)).toBe(false)
    expect(await idsLike('twin')).toEqual([])
  })

  it('treats a condition without a response as one that does not hold', async () => {
    await expect(runBatch(db, [guard(db, sql`NULL`)])).rejects.toSatisfy(isGuardFailure)
  })
})
