import { describe, expect, it } from 'vitest'
import { CHANCE_ROWS, event, eventsOf, type SentEvent, sendBatch, sendEach } from '../../support/capture'
import { storedFlag } from '../../support/database/rows'
import { createTenant, type Tenant } from '../../support/tenant'

const called = (key: unknown, response: unknown, rest: SentEvent = {}): SentEvent => ({
  ...event('ada', { $feature_flag: key, $feature_flag_response: response }, '$feature_flag_called'),
  ...rest,
})

const lastCalled = async (id: number) => (await storedFlag(id))!.lastCalledAt

async function calledAt(tenant: Tenant, key: string, timestamp: string) {
  await sendEach(tenant, [called(key, true, { timestamp })])
}

describe('$feature_flag_called', () => {
  it('stores the flag and its result as text', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      called('a', true),
      called('a', 'control'),
      called('a', null),
      called('a', { x: 1 }),
      called('a', 'x'.repeat(500)),
      called('x'.repeat(401), true),
      called(undefined, true),
      event('ada', { $feature_flag: 'a', $feature_flag_response: true }),
    ])
    expect((await eventsOf(tenant)).map(({ flagKey, flagResponse }) => [flagKey, flagResponse])).toEqual([
      ['a', 'true'],
      ['a', 'control'],
      ['a', null],
      ['a', '{"x":1}'],
      ['a', 'x'.repeat(400)],
      [null, null],
      [null, null],
      [null, null],
    ])
  })

  it('updates only the time of the last call', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'checkout' })
    const other = await tenant.flag({ key: 'other' })
    const before = await storedFlag(id)
    await calledAt(tenant, 'checkout', '2026-03-10T11:00:00Z')
    expect(await storedFlag(id)).toEqual({ ...before, lastCalledAt: '2026-03-10T11:00:00.000000Z' })
    expect(await lastCalled(other.id)).toBe(null)
  })

  it('moves that time forward only, and only by more than a minute', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'checkout' })
    const moments: [sent: string, kept: string][] = [
      ['2026-03-10T11:00:00Z', '2026-03-10T11:00:00.000000Z'],
      ['2026-03-10T10:00:00Z', '2026-03-10T11:00:00.000000Z'],
      ['2026-03-10T11:01:00Z', '2026-03-10T11:00:00.000000Z'],
      ['2026-03-10T11:01:00.000001Z', '2026-03-10T11:00:00.000000Z'],
      ['2026-03-10T11:01:00.001Z', '2026-03-10T11:01:00.001000Z'],
    ]
    for (const [sent, kept] of moments) {
      await calledAt(tenant, 'checkout', sent)
      expect(await lastCalled(id)).toBe(kept)
    }
  })

  it('never moves it past now', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'checkout' })
    await calledAt(tenant, 'checkout', '2026-03-10T20:00:00Z')
    expect(await lastCalled(id)).toBe('2026-03-10T12:00:00.000000Z')
  })

  it('does not touch the flag of the same key in another project, nor a deleted one', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const { id } = await tenant.flag({ key: 'checkout' })
    const elsewhere = await other.flag({ key: 'checkout' })
    await tenant.patch(tenant.flags(id), { deleted: true })
    await calledAt(tenant, 'checkout', '2026-03-10T11:00:00Z')
    expect([await lastCalled(id), await lastCalled(elsewhere.id)]).toEqual([null, null])
  })

  it('reads no other flags of the project', async () => {
    const tenant = await createTenant()
    await tenant.flag({ key: 'checkout' })
    await sendEach(tenant, [called('checkout', true)])
    const cost = async () => (await sendBatch(tenant, [called('checkout', true)])).line.d1_rows_read
    const alone = await cost()
    for (let count = 0; count < 10; count += 1) await tenant.flag()
    expect(await cost()).toBeLessThanOrEqual(alone + CHANCE_ROWS)
  })

  it('counts once: a repeated event changes nothing', async () => {
    const tenant = await createTenant()
    const { id } = await tenant.flag({ key: 'checkout' })
    const uuid = crypto.randomUUID()
    const again = called('checkout', true, { uuid, timestamp: '2026-03-10T11:00:00Z' })
    await sendEach(tenant, [again, again])
    expect(await lastCalled(id)).toBe('2026-03-10T11:00:00.000000Z')
    expect(await eventsOf(tenant)).toHaveLength(1)
  })
})
