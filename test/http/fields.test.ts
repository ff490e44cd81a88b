import { assert, integer as integers, jsonValue, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  boolean,
  dictionary,
  id,
  integer,
  integerOf,
  pageQuery,
  text,
  timestamp,
} from '../../src/http/fields'

/** What a field reads a value as; `refused` when it does not take it. */
const read = (field: z.ZodType, value: unknown) => {
  const result = field.safeParse(value)
  return result.success ? result.data : 'refused'
}

describe('boolean', () => {
  it.each([true, 1, '1', 't', 'T', 'true', 'True', 'TRUE', 'y', 'yes', 'Yes', 'on', 'ON'])(
    'takes %j for true',
    (value) => {
      expect(read(boolean(), value)).toBe(true)
    },
  )
  it.each([false, 0, '0', 'f', 'F', 'false', 'False', 'FALSE', 'n', 'no', 'No', 'off', 'OFF'])(
    'takes %j for false',
    (value) => {
      expect(read(boolean(), value)).toBe(false)
    },
  )
  it.each(['', ' true', 'tRuE', 2, -1, null, [], {}, 'null'])('rejects %j', (value) => {
    expect(read(boolean(), value)).toBe('refused')
  })
})

describe('text', () => {
  it.each([
    ['a', 'a'],
    [' a b ', 'a b'],
    [5, '5'],
    [1.5, '1.5'],
    ['\u00a0a\n', 'a'],
  ])('reads %j as %j', (value, response) => {
    expect(read(text(), value)).toBe(response)
  })
  it.each(['', '  ', true, null, [], {}])('rejects %j', (value) => {
    expect(read(text(), value)).toBe('refused')
  })
  it.each([
    ['a\u0000b', 'Null characters are not allowed.', 'null_characters_not_allowed'],
    ['a\ud800b', 'Surrogate characters are not allowed: U+D800.', 'surrogate_characters_not_allowed'],
    ['🙂\udfff', 'Surrogate characters are not allowed: U+DFFF.', 'surrogate_characters_not_allowed'],
  ])('refuses what the database cannot keep: %j', (value, detail, code) => {
    const { error } = text().safeParse(value)
    const { message, params } = error!.issues[0] as z.core.$ZodIssueCustom
    expect({ message, params }).toEqual({ message: detail, params: { code } })
    expect(read(text(), '🙂')).toBe('🙂')
  })
  it('may be blank where that is allowed', () => {
    expect(read(text({ blank: true }), '  ')).toBe('')
  })
  it('is measured when it is trimmed', () => {
    expect(read(text({ max: 3 }), ' abc ')).toBe('abc')
    expect(read(text({ max: 3 }), 'abcd')).toBe('refused')
    expect(read(text({ max: 3 }), '🙂🙂🙂')).toBe('🙂🙂🙂')
    expect(read(text({ max: 3 }), '🙂🙂🙂🙂')).toBe('refused')
  })
  it('is never longer for being read', () => {
    assert(property(string(), (value) => read(text({ blank: true }), value) === value.trim()))
  })
})

describe('integer', () => {
  it.each([
    [5, 5],
    ['5', 5],
    [' -5 ', -5],
    ['+5', 5],
    ['007', 7],
    [5.0, 5],
  ])('reads %j as %j', (value, response) => {
    expect(read(integer(), value)).toBe(response)
  })
  it.each([1.5, '1.5', '', '1e3', '0x1', 'five', true, null, [], '1'.repeat(16), 2 ** 60])(
    'refuses %j',
    (value) => {
      expect(read(integer(), value)).toBe('refused')
    },
  )
  it('keeps its bounds', () => {
    const field = integer({ min: 1, max: 9 })
    expect([0, 1, 9, 10].map((value) => read(field, value))).toEqual(['refused', 1, 9, 'refused'])
  })
})

describe('one of some integers', () => {
  it.each([
    ['8', 8],
    [' 0 ', 0],
    [8, 8],
    ['5', 'refused'],
    ['8.0', 'refused'],
    ['eight', 'refused'],
    [null, 'refused'],
  ])('%j is %j', (value, response) => {
    expect(read(integerOf([0, 1, 8]), value)).toBe(response)
  })
})

describe('id', () => {
  it('is a positive integer in a path', () => {
    expect(read(id(), '5')).toBe(5)
    for (const value of ['0', '-1', '1.5', 'abc', '', '1e99', 'NaN'])
      expect(read(id(), value)).toBe('refused')
  })
})

describe('timestamp', () => {
  it('reads a moment into the stored form', () => {
    expect(read(timestamp(), '2026-03-10T12:00:00+01:00')).toBe('2026-03-10T11:00:00.000000Z')
  })
  it.each(['', 'soon', 5, null, true, []])('rejects %j', (value) => {
    expect(read(timestamp(), value)).toBe('refused')
  })
})

describe('dictionary', () => {
  it('takes any object as it is, and nothing else', () => {
    assert(
      property(jsonValue(), (value) => {
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
        if (isObject && Object.hasOwn(value, '__proto__')) return
        expect(read(dictionary(), value)).toEqual(isObject ? value : 'refused')
      }),
    )
  })
})

describe('limit and offset', () => {
  const page = (query: object) => z.object(pageQuery).parse(query)

  it.each([
    [undefined, 100],
    ['', 100],
    ['0', 100],
    ['-5', 100],
    ['1.5', 100],
    ['ten', 100],
    ['1', 1],
    ['1000', 1000],
    ['1001', 1000],
    ['99999999999', 1000],
  ])('take a limit of %j for %i', (limit, response) => {
    expect(page({ limit }).limit).toBe(response)
  })
  it.each([
    [undefined, 0],
    ['', 0],
    ['-1', 0],
    ['1.5', 0],
    ['ten', 0],
    ['7', 7],
    ['1e99', 0],
    ['9007199254740992', Number.MAX_SAFE_INTEGER],
    ['99999999999999999999', Number.MAX_SAFE_INTEGER],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ])('take an offset of %j for %i', (offset, response) => {
    expect(page({ offset }).offset).toBe(response)
  })
  it('are never an error', () => {
    assert(
      property(string(), integers(), (words, number) => {
        expect(page({ limit: words, offset: words })).toEqual({
          limit: expect.any(Number),
          offset: expect.any(Number),
        })
        expect(page({ limit: String(number) }).limit).toBe(number > 0 ? Math.min(number, 1000) : 100)
      }),
    )
  })
})
