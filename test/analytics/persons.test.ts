// Persons by distinct id and by uuid.
import { describe, expect, it } from 'vitest'
import { personByDistinctId, personByUuid } from '../support/database/persons'
import { openDatabase } from '../../src/storage/database'
import { createMeter } from '../../src/storage/metered-d1'
import { alias, event, identify, sendEach } from '../support/capture'
import { createTenant, database } from '../support/tenant'
import { env } from 'cloudflare:workers'

describe('a person', () => {
  it('is found by any distinct id and by uuid, with all distinct ids', async () => {
    const tenant = await createTenant()
    const { projectId } = tenant
    await sendEach(tenant, [
      identify('b', 'c', { $set: { plan: 'paid' } }),
      alias('b', 'a'),
      event('other', { $set: { plan: 'free' } }),
    ])
    const person = await personByDistinctId(database(), projectId, 'c')
    expect(person).toEqual({
      id: expect.any(Number),
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      properties: { plan: 'paid' },
      isIdentified: true,
      createdAt: '2026-03-10T12:00:00.000000Z',
      distinctIds: ['a', 'b', 'c'],
    })
    expect(await personByUuid(database(), projectId, person!.uuid)).toEqual(person)
    expect(await personByUuid(database(), projectId, person!.uuid.toUpperCase())).toEqual(person)
  })

  it('is not found in another project', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    await sendEach(tenant, [event('ada')])
    const person = await personByDistinctId(database(), tenant.projectId, 'ada')
    expect(await personByDistinctId(database(), other.projectId, 'ada')).toBe(null)
    expect(await personByUuid(database(), other.projectId, person!.uuid)).toBe(null)
  })

  it('costs one round trip', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      identify('ada', 'anon'),
      ...['b', 'c', 'd'].map((id) => event(id, { $set: { id } })),
    ])
    const meter = createMeter()
    await personByDistinctId(openDatabase(env.DB, meter), tenant.projectId, 'ada')
    expect(meter).toMatchObject({ roundTrips: 1, rowsRead: expect.toSatisfy((rows: number) => rows <= 12) })
  })
})
