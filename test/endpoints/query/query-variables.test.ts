import { describe, expect, it } from 'vitest'
import {
  checkVariables,
  type SavedVariable,
  syncVariables,
  typesOf,
} from '../../../src/endpoints/query/query-variables'

const ID = '0195aaaa-0000-7000-8000-000000000001'
const OTHER = '0195aaaa-0000-7000-8000-000000000002'

const saved = (fields: Partial<SavedVariable> = {}): SavedVariable => ({
  id: ID,
  codeName: 'plan',
  type: 'String',
  defaultValue: 'free',
  ...fields,
})
const held = (fields: Record<string, unknown> = {}) => ({ variableId: ID, code_name: 'plan', ...fields })

describe('syncVariables', () => {
  it('returns null for a text without variables', () => {
    expect(syncVariables({ [ID]: held() }, [], [saved()])).toBe(null)
    expect(syncVariables(null, [], [])).toBe(null)
  })

  it('adds missing variables of the project', () => {
    expect(syncVariables(null, ['plan'], [saved()])).toEqual({ [ID]: held({ value: 'free', isNull: false }) })
    expect(syncVariables({ [OTHER]: held({ code_name: 'unused' }) }, ['plan'], [saved()])).toEqual({
      [ID]: held({ value: 'free', isNull: false }),
    })
  })

  it('does not take what another definition has by name already', () => {
    expect(syncVariables({ [OTHER]: held({ variableId: OTHER, value: 1 }) }, ['plan'], [saved()])).toEqual({
      [OTHER]: held({ variableId: OTHER, value: 1 }),
    })
  })

  it('leaves out undefined variables', () => {
    expect(syncVariables(null, ['plan', 'other'], [])).toBe(null)
  })

  it('finds the default for an id in any case', () => {
    expect(
      syncVariables({ [ID]: held({ variableId: ID.toUpperCase() }) }, ['plan'], [saved()]),
    ).toMatchObject({
      [ID]: { value: 'free' },
    })
  })

  it.each([0, false, '', []])('takes %j for a value', (value) => {
    expect(syncVariables({ [ID]: held({ value }) }, ['plan'], [saved()])).toEqual({ [ID]: held({ value }) })
  })
})

describe('checkVariables', () => {
  const rejectionOf = (...args: Parameters<typeof checkVariables>) => {
    try {
      checkVariables(...args)
    } catch (error) {
      return (error as Error).message
    }
    return null
  }

  it('uses the variable with that id in the project', () => {
    expect(rejectionOf({ [ID]: held() }, ['plan'], [saved()])).toBe(null)
    expect(rejectionOf({ [ID.toUpperCase()]: held() }, ['plan'], [saved()])).toBe(null)
    expect(rejectionOf(null, [], [])).toBe(null)
  })

  it('names every error, sorted', () => {
    expect(rejectionOf(null, ['b', 'a', 'b'], [])).toMatch(
      /^Query references undefined variable\(s\): a, b\. Create each /,
    )
    const odd = { y: held({ code_name: 'a' }), x: held({ code_name: 'b' }) }
    expect(rejectionOf(odd, ['a', 'b'], [])).toBe('Variable ID(s) not valid UUIDs: x, y.')
    expect(rejectionOf({ [OTHER]: held(), [ID]: held() }, ['plan'], [])).toMatch(
      new RegExp(`^Variable ID\\(s\\) not found: ${ID}, ${OTHER}\\. `),
    )
  })
})

describe('typesOf', () => {
  it('is that of the project, or of the value where the project has it no more', () => {
    const variables = {
      [ID]: held(),
      a: held({ code_name: 'number', value: 1 }),
      b: held({ code_name: 'flag', value: true }),
      c: held({ code_name: 'names', value: ['x'] }),
      d: held({ code_name: 'text', value: 'x' }),
      e: held({ code_name: 'nothing', value: null }),
    }
    expect(typesOf(variables, [saved({ type: 'Date' })])).toEqual({
      plan: 'Date',
      number: 'Number',
      flag: 'Boolean',
      names: 'List',
      text: 'String',
      nothing: 'String',
    })
  })
})
