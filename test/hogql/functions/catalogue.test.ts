// The catalogue as a whole: unique names, and a case for every function.
import { describe, expect, it } from 'vitest'
import { HogqlError } from '../../../src/hogql/error'
import { FUNCTIONS, findFunction } from '../../../src/hogql/functions/catalogue'
import { argument, commonType } from '../../../src/hogql/functions/return-types'
import { parseUnit } from '../../../src/hogql/functions/dates/units'
import {
  arrayOf,
  DATE,
  DATETIME,
  FLOAT,
  INTEGER,
  NULL,
  nullable,
  required,
  STRING,
  tupleOf,
} from '../../../src/hogql/types'
import { CALLS, CLICKHOUSE_ONLY, CLICKHOUSE_QUERIES, QUERIES } from './cases'

const names = FUNCTIONS.flatMap((spec) => [spec.name, ...(spec.aliases ?? [])])

describe('the catalogue', () => {
  it('has every name once, in any case', () => {
    const lower = names.map((name) => name.toLowerCase())
    expect(lower.filter((name, place) => lower.indexOf(name) !== place)).toEqual([])
  })

  it('finds functions by every name, in any case', () => {
    for (const name of names) {
      expect(findFunction(name)).toBe(findFunction(name.toUpperCase()))
      expect(findFunction(name)).toBeDefined()
    }
  })

  it.each([
    '',
    'sqlite_version',
    'load_extension',
    'constructor',
    '__proto__',
    'toString()',
    'file',
    'url',
    'getSetting',
    'sleep',
  ])('has no function %o', (name) => {
    expect(findFunction(name)).toBeUndefined()
  })

  it('has no more optional arguments than arguments', () => {
    expect(FUNCTIONS.filter(({ takes, optional = 0 }) => optional > takes.length)).toEqual([])
  })

  it('has a case for every function', () => {
    const texts = [
      ...Object.values(CALLS).flatMap((cases) => cases.map(([expression]) => expression)),
      ...[...QUERIES, ...CLICKHOUSE_QUERIES].map(({ sql }) => sql),
      ...CLICKHOUSE_ONLY.map(([expression]) => expression),
    ]
    const called = new Set(
      texts.flatMap((text) => [...text.matchAll(/(\w+)\(/g)].map(([, name = '']) => name.toLowerCase())),
    )
    const missing = FUNCTIONS.filter(
      ({ name, aliases = [] }) =>
        ![name, ...aliases].some(
          (each) => called.has(each.toLowerCase()) || called.has(`${each.toLowerCase()}if`),
        ),
    )
    expect(missing.map(({ name }) => name)).toEqual([])
  })
})

describe('common types', () => {
  it.each([
    [[INTEGER, FLOAT], FLOAT],
    [[INTEGER, nullable(INTEGER)], nullable(INTEGER)],
    [[NULL, STRING], nullable(STRING)],
    [[DATE, DATETIME], DATETIME],
    [[{ kind: 'json', nullable: false } as const, STRING], STRING],
    [[arrayOf(INTEGER), arrayOf(FLOAT)], arrayOf(FLOAT)],
    [[arrayOf(NULL), arrayOf(STRING)], arrayOf(nullable(STRING))],
    [[arrayOf(required(NULL)), arrayOf(STRING)], arrayOf(STRING)],
    [[arrayOf(required(NULL)), arrayOf(arrayOf(STRING))], arrayOf(arrayOf(STRING))],
    [[tupleOf(INTEGER, DATE), tupleOf(FLOAT, DATETIME)], tupleOf(FLOAT, DATETIME)],
    [[{ kind: 'boolean', nullable: false } as const, INTEGER], INTEGER],
    [[], NULL],
  ])('of %j', (types, common) => {
    expect(commonType(types)).toEqual(common)
  })

  it.each([
    [[INTEGER, STRING]],
    [[arrayOf(INTEGER), INTEGER]],
    [[tupleOf(INTEGER), tupleOf(INTEGER, INTEGER)]],
    [[DATE, STRING]],
  ])('there is none of %j', (types) => {
    expect(() => commonType(types)).toThrow(HogqlError)
  })

  it('reject an index without an argument', () => {
    expect(() => argument([INTEGER], 1)).toThrow('no argument 1')
  })
})

describe('units', () => {
  it.each([
    ['day', 'day'],
    ['Days', 'day'],
    ['mm', 'month'],
    ['QUARTER', 'quarter'],
    ['ss', 'second'],
  ])('%s', (written, unit) => {
    expect(parseUnit(written, 'dateDiff')).toBe(unit)
  })

  it.each(['', 'fortnight', 'constructor', 5, null, undefined])('%o is none', (written) => {
    expect(() => parseUnit(written, 'dateDiff')).toThrow(HogqlError)
  })
})
