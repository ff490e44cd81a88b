// Values that are read several times and written once.
import { describe, expect, it } from 'vitest'
import { once } from '../../../src/hogql/sqlite/once'

const twice = (value: string) => `${value} + ${value}`

describe('once', () => {
  it.each(['s1.c0', '?3', 's0."timestamp"', 'v2'])('repeats the name %s', (name) => {
    expect(once(name, twice)).toBe(`${name} + ${name}`)
  })

  it('names what is more than a name', () => {
    expect(once('abs(?1)', twice)).toBe('(SELECT v1 + v1 FROM (SELECT abs(?1) AS v1))')
  })

  it('names what is inside something named differently', () => {
    const sql = once('abs(?1)', (outer) => once('abs(?2)', (inner) => `${outer} + ${inner}`))
    expect(sql).toBe('(SELECT (SELECT v2 + v1 FROM (SELECT abs(?2) AS v1)) FROM (SELECT abs(?1) AS v2))')
  })

  it('repeats aggregates where they are short, and window functions always', () => {
    expect(once('abs(⟦0⟧)', twice)).toBe('abs(⟦0⟧) + abs(⟦0⟧)')
    expect(once(`abs(⟦0⟧${' '.repeat(200)})`, twice)).toContain('SELECT')
    expect(once(`abs(⟪0⟫${' '.repeat(200)})`, twice)).not.toContain('SELECT')
  })
})
