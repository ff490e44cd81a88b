// Placeholders: numbered as they come, bound once, and packed when D1 would not take so many.
import { describe, expect, it } from 'vitest'
import { HogqlError } from '../../../src/hogql/error'
import { Parameters } from '../../../src/hogql/sqlite/parameters'
import { INTEGER } from '../../../src/hogql/types'

describe('parameters', () => {
  it('are numbered in the order in which they stand in the text', () => {
    const parameters = new Parameters()
    const [limit, one, two] = [
      parameters.add({ kind: 'limit' }),
      parameters.bind('one'),
      parameters.bind('two'),
    ]
    expect(parameters.finish(`${two} ${one} ${limit} ${two}`)).toEqual({
      sql: '?1 ?2 ?3 ?1',
      parameters: [{ kind: 'literal', value: 'two' }, { kind: 'literal', value: 'one' }, { kind: 'limit' }],
    })
  })

  it('are bound once, and not at all when the text has no use for them', () => {
    const parameters = new Parameters()
    expect(parameters.bind('a')).toBe(parameters.bind('a'))
    expect(parameters.bind('b')).not.toBe(parameters.bind('a'))
    expect(parameters.add({ kind: 'variable', name: 'n', type: INTEGER })).not.toBe(parameters.bind('n'))
    expect(parameters.finish('SELECT 1')).toEqual({ sql: 'SELECT 1', parameters: [] })
  })

  it('travel in one JSON text where they are too many', () => {
    const parameters = new Parameters()
    const project = parameters.add({ kind: 'project' })
    const placeholders = Array.from({ length: 150 }, (_, index) => parameters.bind(`text "${index}"`))
    const { sql, parameters: bound } = parameters.finish(`${placeholders.join(' ')} ${project}`)
    expect(bound.length).toBeLessThanOrEqual(100)
    const last = bound.at(-1)
    const pack = JSON.parse(String(last?.kind === 'literal' && last.value)) as string[]
    const values = sql.split(/ (?=\?|json)/).map((written) => {
      const [, place] = /^json_extract\(\?\d+, '\$\[(\d+)\]'\)$/.exec(written) ?? []
      const parameter = bound[Number(written.slice(1)) - 1]
      if (place !== undefined) return pack[Number(place)]
      return parameter?.kind === 'literal' ? parameter.value : parameter?.kind
    })
    expect(values).toEqual([...placeholders.map((_, index) => `text "${index}"`), 'project'])
  })

  it('that are variables cannot be packed', () => {
    const parameters = new Parameters()
    const placeholders = Array.from({ length: 120 }, (_, index) =>
      parameters.add({ kind: 'variable', name: `v${index}`, type: INTEGER }),
    )
    expect(() => parameters.finish(placeholders.join(' '))).toThrow(HogqlError)
  })
})
