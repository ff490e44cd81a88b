import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hash01 } from '../../src/evaluation/sha1'

/** The same draw from the platform's own SHA-1. */
async function reference(text: string): Promise<number> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text)))
  const hex = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return Number.parseInt(hex.slice(0, 15), 16) / 2 ** 60
}

describe('hash01', () => {
  it('is the first 60 bits of SHA-1, rounded to a double before the division', () => {
    expect(hash01('beta-search.', 'user-17', '')).toBe(0.009101217133290002)
    expect(hash01('holdout-', '', '')).toBe(0.9268829483920294)
  })

  it('agrees with the platform on any text, lone surrogates included', async () => {
    const part = fc.string({ unit: 'binary', maxLength: 80 })
    await fc.assert(
      fc.asyncProperty(part, part, part, async (prefix, identifier, salt) => {
        // Parts are encoded apart: a pair that is cut in two between them is two halves.
        const text = [prefix, identifier, salt].map((each) => each.toWellFormed()).join('')
        expect(hash01(prefix, identifier, salt)).toBe(await reference(text))
      }),
    )
  })

  it.each([0, 54, 55, 56, 63, 64, 119, 120, 1_000, 100_000])('pads %i bytes', async (length) => {
    const text = 'x'.repeat(length)
    expect(hash01('', text, '')).toBe(await reference(text))
    expect(hash01('beta-search.', 'user-17', '')).toBe(0.009101217133290002)
  })
})
