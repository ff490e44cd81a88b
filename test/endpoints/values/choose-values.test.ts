// Which value a variable has (docs/reference/endpoints.md#variables-of-a-run).
import { describe, expect, it } from 'vitest'
import type { QueryVariable } from '../../../src/endpoints/query/query-types'
import { chooseValues, codeNamesOf, requireKnown } from '../../../src/endpoints/values/choose-values'

const ID = '0190c1e6-0000-7000-8000-00000000abcd'

const choose = (
  variable: Partial<QueryVariable>,
  requested: Record<string, unknown> = {},
  byDefault: unknown = undefined,
) => {
  const variables = { [ID]: { variableId: ID, code_name: 'v', ...variable } }
  const { values, fromSaved } = chooseValues(
    variables,
    requested,
    byDefault === undefined ? {} : { [ID]: { type: 'String', defaultValue: byDefault } },
  )
  return [values.get('v'), fromSaved]
}

describe('chooseValues', () => {
  it.each<[what: string, args: Parameters<typeof choose>, chosen: unknown[]]>([
    ['the request', [{ value: 'stored' }, { v: 'sent' }, 'saved'], ['sent', false]],
    ['a null of the request', [{ value: 'stored' }, { v: null }, 'saved'], [null, false]],
    ['a value over a stored null', [{ value: null, isNull: true }, { v: 0 }], [0, false]],
    ['the query', [{ value: 'stored' }, {}, 'saved'], ['stored', false]],
    ['an empty text of the query', [{ value: '' }, {}, 'saved'], ['', false]],
    ['false of the query', [{ value: false }, {}, 'saved'], [false, false]],
    ['the null that the query says is meant', [{ value: 'x', isNull: true }, {}, 'saved'], [null, false]],
    ['the saved variable', [{}, {}, 'saved'], ['saved', true]],
    [
      'the saved variable for a null that is not said to be meant',
      [{ value: null, isNull: false }, {}, 0],
      [0, true],
    ],
    [
      'the saved variable, whatever the case of its id',
      [{ variableId: ID.toUpperCase() }, {}, 'saved'],
      ['saved', true],
    ],
    ['none', [{}], [undefined, false]],
    ['none of a saved variable without a default', [{}, {}, null], [undefined, false]],
    ['none that an object brings along by itself', [{ code_name: 'toString' }], [undefined, false]],
  ])('takes %s', (_, args, chosen) => {
    expect(choose(...args)).toEqual(chosen)
  })

  it('returns nothing for a query without variables', () => {
    expect(chooseValues(null, { v: 1 }, {})).toEqual({ values: new Map(), fromSaved: false })
    expect(codeNamesOf(null)).toEqual(new Set())
  })
})

describe('requireKnown', () => {
  it('rejects unknown names, in order', () => {
    const known = new Set(['a', 'b'])
    expect(() => requireKnown({ a: 1, b: null }, known)).not.toThrow()
    expect(() => requireKnown({ z: 1, a: 1, c: null }, known)).toThrow(
      'Unknown variable(s): c, z. Known: a, b.',
    )
    expect(() => requireKnown({ z: 1 }, new Set())).toThrow(
      'Unknown variable(s): z. The query has no variables.',
    )
  })
})
