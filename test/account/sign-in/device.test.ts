// Device names (docs/reference/accounts.md#login-sessions).
import { describe, expect, it } from 'vitest'
import { deviceOf } from '../../../src/account/sign-in/device'

describe('deviceOf', () => {
  it.each([
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/135.0.0.0 Safari/537.36',
      'Chrome 135.0.0 on macOS 10.15',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140.0 on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Mobile/15E148 Safari/604.1',
      'Safari 17.4.1 on iOS 17.4',
    ],
    ['nonsense', null],
    ['', null],
    [null, null],
  ])('calls %j %j', (userAgent, expected) => {
    expect(deviceOf(userAgent)).toBe(expected)
  })
})
