// Where a request comes from.
import { describe, expect, it } from 'vitest'
import { clientOf, networkOf } from '../../src/auth/client'

const request = (cf: object | undefined, headers: Record<string, string> = {}) =>
  Object.defineProperty(new Request('https://halyard.test/', { headers }), 'cf', { value: cf })

describe('clientOf', () => {
  it.each([
    [{ city: 'Berlin', country: 'DE' }, 'Berlin, Germany'],
    [{ country: 'DE' }, 'Germany'],
    [{ city: 'Berlin' }, 'Berlin'],
    [{ country: 'T1' }, null],
    [{ country: 'XX' }, null],
    [{}, null],
    [undefined, null],
  ])('places %j', (cf, location) => {
    expect(clientOf(request(cf)).location).toBe(location)
  })

  it('trusts only the platform for the address', () => {
    expect(clientOf(request({}, { 'X-Forwarded-For': '198.51.100.1' })).network).toBe('unknown')
    const both = { 'X-Forwarded-For': '198.51.100.1', 'CF-Connecting-IP': '203.0.113.7' }
    expect(clientOf(request({}, both)).network).toBe('203.0.113.7')
  })

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002:0:0:0:6', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('counts %s as %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })

  it('truncates the user agent', () => {
    expect(clientOf(request({}, { 'User-Agent': 'x'.repeat(9_000) })).userAgent).toHaveLength(512)
    expect(clientOf(request({})).userAgent).toBe(null)
  })
})
