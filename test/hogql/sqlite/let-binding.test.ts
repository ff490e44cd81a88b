// Values that are read several times and written once.
import { describe, expect, it } from 'vitest'
import { letBinding } from '../../../src/hogql/sqlite/context'

const twice = (value: string) => `${value} + ${value}`

describe('a let-binding', () => {
  it.each(['s1.c0', '?3', 's0."timestamp"', 'v2'])('repeats the name %s', (name) => {
    expect(letBinding()(name, twice)).toBe(`${name} + ${name}`)
  })

  it('names what is more than a name', () => {
    expect(letBinding()('abs(?1)', twice)).toBe('(SELECT v1 + v1 FROM (SELECT abs(?1) AS v1))')
  })

  it('names each value of a statement differently', () => {
    const once = letBinding()
    const sql = once('abs(?1)', (outer) => once('abs(?2)', (inner) => `${outer} + ${inner}`))
    expect(sql).toBe('(SELECT (SELECT v1 + v2 FROM (SELECT abs(?2) AS v2)) FROM (SELECT abs(?1) AS v1))')
    expect(once('abs(?3)', twice)).toBe('(SELECT v3 + v3 FROM (SELECT abs(?3) AS v3))')
  })
})
