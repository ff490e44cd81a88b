// Constants of queries, plain and hostile.
import type { Choices } from './choices'

export type FuzzKind = 'number' | 'string' | 'condition' | 'datetime' | 'date' | 'array' | 'json'

export const KINDS: readonly FuzzKind[] = [
  'number',
  'string',
  'condition',
  'datetime',
  'date',
  'array',
  'json',
]

const TEXTS = [
  'a',
  '',
  'purchase',
  'ada',
  "'",
  '"',
  '`',
  '\\',
  "' OR 1=1 --",
  "'; DROP TABLE events; --",
  '") UNION SELECT sql FROM sqlite_master --',
  '%',
  '_',
  '%a%',
  '[a-z]*?',
  '?1',
  '$."x"',
  '$',
  '*',
  '{variables.x}',
  'ünïcode 裕子 🦊',
  '\u202e\u200b',
  'line\nbreak',
  '12',
  '12.5',
  '-0',
  '1e999',
  'NaN',
  'true',
  '2026-03-08',
  '2026-03-08 02:30:00',
  '2026-02-30',
  '9999-12-31T23:59:59.999999Z',
  '0001-01-01',
  '[1,2',
  '{"a": [1, {"b": null}]}',
  'UTC',
  'America/New_York',
  'day',
  '%Y-%m-%d %%',
  '%',
  'x'.repeat(60),
  'ab'.repeat(3000),
]

const NUMBERS = [
  '1',
  '0',
  '2',
  '-1',
  '0.5',
  '-2.75',
  '100',
  '7',
  '1e3',
  '1e308',
  '1e-320',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '99999999999999999999',
  '0x1F',
  '1000000000000',
]

/** A text as HogQL writes it. */
export const quoted = (text: string): string =>
  `'${text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll("'", String.raw`\'`)
    .replaceAll('\n', String.raw`\n`)}'`

/** A constant of a kind. */
export function literal(choices: Choices, kind: FuzzKind): string {
  if (choices.rarely(12)) return 'NULL'
  switch (kind) {
    case 'number':
      return choices.rarely(8) ? choices.of(NUMBERS) : choices.of(NUMBERS.slice(0, 9))
    case 'string':
      return quoted(choices.of(TEXTS))
    case 'condition':
      return choices.of(['true', 'false', '1', '0'])
    case 'datetime':
      return choices.of([
        'now()',
        `toDateTime('2026-03-08 02:30:00')`,
        `toDateTime('2025-11-02 01:30:00')`,
        `toDateTime('2024-02-29T23:59:59.999999Z')`,
        `toDateTime(0)`,
        quoted('2026-03-01'),
      ])
    case 'date':
      return choices.of([
        'today()',
        `toDate('2024-02-29')`,
        `toDate('2026-12-31')`,
        'yesterday()',
        quoted('2026-03-01'),
      ])
    case 'array':
      return choices.of([
        '[1, 2, 3]',
        '[]',
        `['a', NULL, '"']`,
        '[[1], [2, 3]]',
        '[1.5, 2]',
        '[toDate(0), today()]',
      ])
    case 'json':
      return choices.of([quoted('{"a": 1}'), quoted('no json')])
  }
}
