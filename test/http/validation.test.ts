import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { boolean, dictionary, integer, text, timestamp } from '../../src/http/fields'
import { firstFailure, invalidChoice } from '../../src/http/validation'
import { typeWords } from '../../src/http/value-words'

const Body = z.object({
  key: text({ max: 5 }),
  note: text({ blank: true, max: 8 }).optional(),
  on: boolean().optional(),
  count: integer({ min: 1, max: 9 }).optional(),
  kind: z.enum(['a', 'b']).optional(),
  kinds: z
    .array(z.enum(['a', 'b']))
    .min(1)
    .max(2)
    .optional(),
  map: dictionary().optional(),
  nested: z.object({ list: z.array(z.object({ id: integer() })) }).optional(),
  at: timestamp().optional(),
  either: z.union([z.literal(1), z.literal('x')]).optional(),
  odd: z
    .unknown()
    .refine((value) => value !== 'bad', { error: 'This is bad.', params: { code: 'bad_value' } })
    .optional(),
})

/** The error for a body, as its own fields. */
function failure(body: unknown, schema: z.ZodType = Body) {
  const result = schema.safeParse(body)
  if (result.success) return null
  const { status, type, code, detail, attr } = firstFailure(result.error, body)
  return { status, type, code, detail, attr }
}

const told = (attr: string | null, detail: string, code = 'invalid_input') => ({
  status: 400,
  type: 'validation_error',
  code,
  detail,
  attr,
})

const FORMAT =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].'

describe('firstFailure', () => {
  it.each([
    [{}, told('key', 'This field is required.', 'required')],
    [{ key: null }, told('key', 'This field may not be null.', 'null')],
    [{ key: '' }, told('key', 'This field may not be blank.', 'blank')],
    [{ key: ' ' }, told('key', 'This field may not be blank.', 'blank')],
    [{ key: [] }, told('key', 'Not a valid string.')],
    [{ key: '123456' }, told('key', 'Ensure this field has no more than 5 characters.', 'max_length')],
    [{ key: 'k', note: null }, told('note', 'This field may not be null.', 'null')],
    [{ key: 'k', on: 'perhaps' }, told('on', 'Must be a valid boolean.')],
    [{ key: 'k', on: null }, told('on', 'This field may not be null.', 'null')],
    [{ key: 'k', count: 'x' }, told('count', 'A valid integer is required.')],
    [{ key: 'k', count: 1.5 }, told('count', 'A valid integer is required.')],
    [{ key: 'k', count: 0 }, told('count', 'Ensure this value is greater than or equal to 1.', 'min_value')],
    [{ key: 'k', count: 10 }, told('count', 'Ensure this value is less than or equal to 9.', 'max_value')],
    [
      { key: 'k', kind: 'c' },
      told('kind', '"c" is not a valid choice. Valid choices: a, b.', 'invalid_choice'),
    ],
    [
      { key: 'k', kind: 5 },
      told('kind', '"5" is not a valid choice. Valid choices: a, b.', 'invalid_choice'),
    ],
    [{ key: 'k', kind: null }, told('kind', 'This field may not be null.', 'null')],
    [{ key: 'k', kinds: 'a' }, told('kinds', 'Expected a list of items but got text.', 'not_a_list')],
    [{ key: 'k', kinds: {} }, told('kinds', 'Expected a list of items but got an object.', 'not_a_list')],
    [{ key: 'k', kinds: [] }, told('kinds', 'This list may not be empty.', 'empty')],
    [
      { key: 'k', kinds: ['a', 'a', 'a'] },
      told('kinds', 'Ensure this field has no more than 2 elements.', 'max_length'),
    ],
    [
      { key: 'k', kinds: ['a', 'c'] },
      told('kinds__1', '"c" is not a valid choice. Valid choices: a, b.', 'invalid_choice'),
    ],
    [{ key: 'k', map: [] }, told('map', 'Expected an object but got a list.', 'not_a_dict')],
    [{ key: 'k', map: 5 }, told('map', 'Expected an object but got an integer.', 'not_a_dict')],
    [{ key: 'k', nested: {} }, told('nested__list', 'This field is required.', 'required')],
    [
      { key: 'k', nested: { list: [{ id: 1 }, {}] } },
      told('nested__list__1__id', 'This field is required.', 'required'),
    ],
    [{ key: 'k', at: 'soon' }, told('at', FORMAT)],
    [{ key: 'k', at: '2026-02-30' }, told('at', FORMAT)],
    [{ key: 'k', at: 5 }, told('at', 'Not a valid string.')],
    [{ key: 'k', at: null }, told('at', 'This field may not be null.', 'null')],
    [{ key: 'k', odd: 'bad' }, told('odd', 'This is bad.', 'bad_value')],
    [[], told(null, 'Invalid data. Expected an object, but got a list.')],
    [null, told(null, 'Invalid data. Expected an object, but got null.')],
    ['text', told(null, 'Invalid data. Expected an object, but got text.')],
  ])('of %j', (body, error) => {
    expect(failure(body)).toEqual(error)
  })

  it('is the first in the order of the fields, not of the body', () => {
    expect(failure({ at: 'x', on: 'x', note: 5, key: [] })).toEqual(told('key', 'Not a valid string.'))
    expect(failure({ at: 'x', on: 'x', key: 'k' })).toEqual(told('on', 'Must be a valid boolean.'))
  })

  it('names fields that a strict body does not have', () => {
    const strict = z.strictObject({ a: integer().optional() })
    expect(failure({ b: 1, c: 2 }, strict)).toEqual(told(null, 'Unknown field: b, c', 'unknown_field'))
  })
})

describe('typeWords', () => {
  it.each([
    [null, 'null'],
    [undefined, 'nothing'],
    [true, 'a boolean'],
    ['', 'text'],
    [1, 'an integer'],
    [-0.5, 'a fraction'],
    [Number.POSITIVE_INFINITY, 'a fraction'],
    [[], 'a list'],
    [{}, 'an object'],
  ])('of %j is %s', (value, words) => {
    expect(typeWords(value)).toBe(words)
  })
})

describe('invalidChoice', () => {
  it('names the choice that was meant, and all of them', () => {
    const choices = ['person', 'group', 'cohort', 'flag']
    expect(invalidChoice('persn', choices)).toBe(
      '"persn" is not a valid choice. Did you mean person? Valid choices: person, group, cohort, flag.',
    )
    expect(invalidChoice('element', choices)).toBe(
      '"element" is not a valid choice. Valid choices: person, group, cohort, flag.',
    )
  })
})
