import * as fc from 'fast-check'
import LZString from 'lz-string'
import { describe, expect, it } from 'vitest'
import { createRequestMemory } from '../../src/http/limits/request-memory'
import { inflateLz } from '../../src/sdk/body/lz-string'

const inflated = (text: string, maxLength = 1_000_000) =>
  inflateLz(text, maxLength, createRequestMemory().open())

const refused = (status: number) => expect.objectContaining({ status })

describe('lz-string', () => {
  it('inflates to what its package compressed', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2_000 }),
      fc
        .array(fc.constantFrom('a', 'b', '{"event":', '€'), { maxLength: 2_000 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(inflated(LZString.compressToBase64(text))).toBe(text)
      }),
    )
  })

  it('inflates any text to that of its package, or is refused', () => {
    const digit = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
    fc.assert(
      fc.property(fc.string({ unit: digit, maxLength: 40 }), (text) => {
        let mine: string | null = null
        try {
          mine = inflated(text)
        } catch (error) {
          expect(error).toEqual(refused(400))
        }
        if (mine !== null) expect(mine).toBe(LZString.decompressFromBase64(text)?.toWellFormed())
      }),
      { numRuns: 2_000 },
    )
  })

  it('ends at its limit, however much a short text would become', () => {
    const bomb = LZString.compressToBase64('x'.repeat(1_000_001))
    expect(bomb.length).toBeLessThan(6_000)
    expect(() => inflated(bomb)).toThrow(refused(413))
    expect(inflated(bomb, 1_000_001)).toHaveLength(1_000_001)
  })

  it.each(['', 'N', 'N4Ig', 'not base64!', '////'])('refuses %j, which has no end', (text) => {
    expect(() => inflated(text)).toThrow(refused(400))
  })
})
