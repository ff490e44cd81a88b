// From the JSON value of a variable to what it is bound to (docs/reference/endpoints.md#variables-of-a-run).
import { describe, expect, it } from 'vitest'
import { bindVariables, convert } from '../../../src/endpoints/values/bind-variables'
import type { Parameter } from '../../../src/hogql/compiled'
import * as types from '../../../src/hogql/types'

const LIST = types.arrayOf(types.STRING)
const NUMBERS = types.arrayOf(types.FLOAT)

describe('convert', () => {
  it.each<[value: unknown, type: types.Type, bound: unknown, timezone?: string]>([
    ['x', types.STRING, 'x'],
    ['', types.STRING, ''],
    [5, types.STRING, '5'],
    [true, types.STRING, 'true'],
    ["'; DROP TABLE events --", types.STRING, "'; DROP TABLE events --"],
    [5, types.FLOAT, 5],
    [-0.5, types.FLOAT, -0.5],
    ['5', types.FLOAT, 5],
    [' 1.5e3 ', types.FLOAT, 1500],
    ['.5', types.FLOAT, 0.5],
    [5, types.INTEGER, 5],
    ['-7', types.INTEGER, -7],
    [true, types.BOOLEAN, true],
    ['False', types.BOOLEAN, false],
    [1, types.BOOLEAN, true],
    ['0', types.BOOLEAN, false],
    [['a', 'b'], LIST, ['a', 'b']],
    [[], LIST, []],
    [['a', 1, true], LIST, ['a', '1', 'true']],
    ['a', LIST, ['a']],
    [['1', 2], NUMBERS, [1, 2]],
    ['2026-01-31', types.DATE, '2026-01-31'],
    ['2026-01-31T23:30:00Z', types.DATE, '2026-02-01', 'Europe/Amsterdam'],
    ['2026-01-31', types.DATETIME, '2026-01-31T00:00:00.000000Z'],
    ['2026-01-31', types.DATETIME, '2026-01-30T23:00:00.000000Z', 'Europe/Amsterdam'],
    ['2026-07-31 12:00', types.DATETIME, '2026-07-31T10:00:00.000000Z', 'Europe/Amsterdam'],
    ['2026-01-31T12:00:00.25+05:30', types.DATETIME, '2026-01-31T06:30:00.250000Z', 'Europe/Amsterdam'],
    [null, types.STRING, null],
    [null, LIST, null],
    [null, types.DATETIME, null],
  ])('makes %j fit %j', (value, type, bound, timezone = 'UTC') => {
    expect(convert('x', value, type, timezone)).toEqual(bound)
  })

  it.each<[value: unknown, type: types.Type]>([
    ['9007199254740993', types.FLOAT],
    ['-9223372036854775807', types.FLOAT],
    [['1', '9007199254740993'], NUMBERS],
    ['9007199254740993', NUMBERS],
  ])('rejects %j for %j, whose digits it would alter', (value, type) => {
    expect(() => convert('x', value, type, 'UTC')).toThrow(
      "Variable 'x': integers past 2^53 are not kept exactly. Use a variable of type String, and compare texts.",
    )
  })

  it.each<[value: unknown, type: types.Type, expected: string]>([
    [['a'], types.STRING, 'a string here: IN takes a list'],
    [{}, types.STRING, 'a string'],
    ['five', types.FLOAT, 'a number'],
    ['', types.FLOAT, 'a number'],
    ['0x10', types.FLOAT, 'a number'],
    ['1e999', types.FLOAT, 'a number'],
    [true, types.FLOAT, 'a number'],
    [1.5, types.INTEGER, 'an integer'],
    [2 ** 53, types.INTEGER, 'an integer'],
    ['yes', types.BOOLEAN, 'a boolean'],
    [2, types.BOOLEAN, 'a boolean'],
    [20_260_131, types.DATE, 'a date (YYYY-MM-DD)'],
    ['2026-02-30', types.DATE, 'a date (YYYY-MM-DD)'],
    ['-7d', types.DATETIME, 'a date or a date-time in ISO 8601'],
    ['', types.DATETIME, 'a date or a date-time in ISO 8601'],
    [{}, LIST, 'a list, of which each item is a string'],
    [['a', null], LIST, 'a list, of which each item is a string'],
    [[['a']], LIST, 'a list, of which each item is a string'],
    [['1', 'x'], NUMBERS, 'a list, of which each item is a number'],
    ['x', types.tupleOf(types.STRING), 'null'],
  ])('rejects %j for %j, and does not repeat it', (value, type, expected) => {
    expect(() => convert('limit', value, type, 'UTC')).toThrow(
      expect.objectContaining({
        status: 400,
        code: 'invalid_input',
        attr: 'variables',
        message: `Variable 'limit' must be ${expected}.`,
      }),
    )
  })
})

describe('bindVariables', () => {
  const parameters: Parameter[] = [
    { kind: 'project' },
    { kind: 'variable', name: 'day', type: types.DATETIME },
    { kind: 'variable', name: 'n', type: types.FLOAT },
    { kind: 'variable', name: 'day', type: types.STRING },
    { kind: 'limit' },
  ]

  it('converts a value for each parameter', () => {
    const values = new Map<string, unknown>([
      ['day', '2026-01-31'],
      ['n', null],
      ['unread', {}],
    ])
    expect([...bindVariables({ parameters }, values, 'Europe/Amsterdam')]).toEqual([
      [1, '2026-01-30T23:00:00.000000Z'],
      [2, null],
      [3, '2026-01-31'],
    ])
  })

  it('rejects a variable without a value', () => {
    expect(() => bindVariables({ parameters }, new Map([['day', '2026-01-31']]), 'UTC')).toThrow(
      expect.objectContaining({ status: 400, attr: null, message: 'Variable n is missing from query' }),
    )
  })
})
