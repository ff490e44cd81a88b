// One-time codes: RFC 6238, appendix B.
import { describe, expect, it } from 'vitest'
import {
  isBackupCode,
  matchingStep,
  newBackupCodes,
  newSecret,
  secretText,
  secretUri,
  stepAt,
} from '../../../src/account/two-factor/codes'

const RFC_SECRET = new TextEncoder().encode('12345678901234567890')

describe('matchingStep', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('knows the code of second %i', (second, code) => {
    const now = new Date(second * 1000)
    expect(matchingStep(RFC_SECRET, code, now, 0)).toBe(Math.floor(second / 30))
    expect(matchingStep(RFC_SECRET, code, now, stepAt(now))).toBe(null)
    expect(matchingStep(newSecret(), code, now, 0)).toBe(null)
  })

  it('accepts only six digits', () => {
    for (const code of ['', '28708', '2870820', ' 287082', '28708２', '0x2870']) {
      expect(matchingStep(RFC_SECRET, code, new Date(59_000), 0)).toBe(null)
    }
  })
})

describe('a secret', () => {
  it('has twenty random bytes, shown in base32', () => {
    expect(newSecret()).toHaveLength(20)
    expect(secretText(newSecret())).toMatch(/^[A-Z2-7]{32}$/)
    expect(secretText(newSecret())).not.toBe(secretText(newSecret()))
    const uri = new URL(secretUri(RFC_SECRET, 'ada@example.com'))
    expect(decodeURIComponent(uri.pathname)).toContain('Halyard:ada@example.com')
    expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  })
})

describe('backup codes', () => {
  it('are ten different codes of eight characters', () => {
    const codes = newBackupCodes()
    expect(new Set(codes).size).toBe(10)
    expect(codes.every(isBackupCode)).toBe(true)
  })
})
