// What is shown of two long values.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptsOf, MAX_SHOWN } from '../../src/console/grammar/excerpt'

const same = 'a'.repeat(10_000)

describe('the excerpts of two values', () => {
  it.each([
    ['both', 'old', 'new'],
    ['both', same.slice(0, MAX_SHOWN), null],
    ['none', null, null],
  ])('are %s, whole, where they are short', (_, before, after) => {
    expect(excerptsOf(before, after)).toEqual([before, after])
  })

  it('have the first difference, with what is before it', () => {
    const [before, after] = excerptsOf(`${same}old${same}`, `${same}new${same}`)
    const rest = 'a'.repeat(MAX_SHOWN - 203)
    expect([before, after]).toEqual([`…${'a'.repeat(200)}old${rest}…`, `…${'a'.repeat(200)}new${rest}…`])
  })

  it('begin at the start where there is one value, or where the start differs', () => {
    expect(excerptsOf(null, same)).toEqual([null, `${'a'.repeat(MAX_SHOWN)}…`])
    expect(excerptsOf('b', same)).toEqual(['b', `${'a'.repeat(MAX_SHOWN)}…`])
  })

  it('differ where the values do, and divide no character', () => {
    const value = fc.array(fc.constantFrom('a', 'b', '👍'), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(value, value, value, fc.nat(3_000), (start, one, other, length) => {
        const [before, after] = [one, other].map((each) => start + '👍'.repeat(length) + each)
        const excerpts = excerptsOf(before!, after!)
        expect(excerpts[0] === excerpts[1]).toBe(before === after)
        expect(excerpts.every((each) => each!.isWellFormed())).toBe(true)
      }),
    )
  })
})
