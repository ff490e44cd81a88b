// Flags that are bucketed by device: the caller names one, or the person has one.
import { describe, expect, it } from 'vitest'
import { isWithin, rolloutDraw } from '../../../src/evaluation/bucketing'
import { createTenant, type Tenant } from '../../support/tenant'
import { person, responseTo } from './support'

const KEY = 'half'

/** Devices of which one is within half of all, and the other is not. */
const devices = Array.from({ length: 40 }, (_, at) => `device-${at}`)
const inside = devices.find((device) => isWithin(rolloutDraw(`${KEY}.`, device), 50))!
const outside = devices.find((device) => !isWithin(rolloutDraw(`${KEY}.`, device), 50))!

const byDevice = (tenant: Tenant) =>
  tenant.flag({
    key: KEY,
    bucketing_identifier: 'device_id',
    filters: { groups: [{ properties: [], rollout_percentage: 50 }] },
  })

const outcome = (value: boolean, reason: string, index: number | null) => ({ value, reason, index })
const ON = outcome(true, 'condition_match', 0)
const OFF = outcome(false, 'out_of_rollout_bound', 0)

async function tested(tenant: Tenant, flag: { id: number }, body: object) {
  const response = await responseTo(tenant, flag, body)
  expect(response.status).toBe(200)
  return outcome(response.body.result, response.body.reason, response.body.condition_index)
}

async function reasoned(tenant: Tenant, query: Record<string, string>) {
  const path = `${tenant.flags('evaluation_reasons')}?${new URLSearchParams(query)}`
  const { value, evaluation } = (await tenant.get(path)).body[KEY]
  return outcome(value, evaluation.reason, evaluation.condition_index)
}

describe('a flag that is bucketed by device', () => {
  it('is evaluated for the device that the caller names', async () => {
    const tenant = await createTenant()
    const flag = await byDevice(tenant)
    for (const [device, expected] of [
      [inside, ON],
      [outside, OFF],
    ] as const) {
      expect(await tested(tenant, flag, { distinct_id: 'user-1', device_id: device })).toEqual(expected)
      expect(
        await tested(tenant, flag, {
          distinct_id: 'user-1',
          device_id: device,
          timestamp: tenant.clock.now().toISOString(),
        }),
      ).toEqual(expected)
      expect(await reasoned(tenant, { distinct_id: 'user-1', device_id: device })).toEqual(expected)
    }
  })

  it('is evaluated for the $device_id of the person, unless the caller names another device', async () => {
    const tenant = await createTenant()
    const flag = await byDevice(tenant)
    await person(tenant, { $device_id: inside }, 'user-1')
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(ON)
    expect(await tested(tenant, flag, { distinct_id: 'user-1', device_id: null })).toEqual(ON)
    expect(await reasoned(tenant, { distinct_id: 'user-1' })).toEqual(ON)
    expect(await tested(tenant, flag, { distinct_id: 'user-1', device_id: outside })).toEqual(OFF)
    expect(await reasoned(tenant, { distinct_id: 'user-1', device_id: outside })).toEqual(OFF)
  })

  it('is off without a device', async () => {
    const tenant = await createTenant()
    const flag = await byDevice(tenant)
    await person(tenant, {}, 'user-1')
    expect(await tested(tenant, flag, { distinct_id: 'user-1' })).toEqual(OFF)
    expect(await reasoned(tenant, { distinct_id: 'user-1' })).toEqual(OFF)
  })
})
