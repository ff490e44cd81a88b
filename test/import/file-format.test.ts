// Texts of the files of exports and of flags.
import { exportLines } from '../../src/import/file/export'
import type { Item, Source } from '../../src/import/model'
import { parseFlagFile } from '../../src/import/flag-file/file'
import { expect, it } from 'vitest'
import { Line, parseLine } from '../../src/import/file/format'

it.each([
  [{ kind: 'flag', key: 'a', value: { actve: false } }, 'value: Unrecognized key: "actve"'],
  [{ kind: 'cohort', key: 'a', value: { name: 'a' }, memberz: [] }, 'Unrecognized key: "memberz"'],
  [{ kind: 'event_definition', key: 'a', value: { verifed: true } }, 'value: Unrecognized key: "verifed"'],
  [
    { kind: 'query', key: 'a', value: { versions: [{ query: {}, active: false }] } },
    'value.versions.0: Unrecognized key: "active"',
  ],
  [{ kind: 'grouptype', key: 'a', value: {} }, "kind: Invalid discriminator value. Expected 'group_type' | "],
  [{ kind: 'flag', key: 1, value: {} }, 'key: Invalid input: expected string, received number'],
])('refuses %j', (line, problem) => {
  expect(() => parseLine(Line, JSON.stringify(line), 'Line 2')).toThrow(
    `Line 2 is no line of an export of format 1: ${problem}`,
  )
})

it('has no ids and properties of persons without their stream', async () => {
  const plain = { changes: [], problem: null }
  const items: Item[] = [
    {
      ...plain,
      kind: 'group_type',
      key: 'company',
      value: {},
      initial: { group: { key: 'acme', properties: { owner: 'ada@example.com' } } },
    },
    { ...plain, kind: 'cohort', key: 'Testers', value: { is_static: true }, members: ['ada@example.com'] },
  ]
  const source = {
    title: 'a test',
    readItems: async () => items,
    readPage: async () => null,
  } as unknown as Source
  const linesWith = (streams: readonly ('event' | 'person')[]) =>
    Array.fromAsync(
      exportLines({ source, streams, withSecrets: false, now: new Date(0), progress: () => {} }),
    )
  expect(JSON.stringify(await linesWith(['event']))).not.toContain('ada@example.com')
  expect(await linesWith(['person'])).toMatchObject([
    {},
    { initial: { group: { properties: { owner: 'ada@example.com' } } } },
    { members: ['ada@example.com'] },
    {},
  ])
})

it.each([
  ['{"flags": {"a": {"filters": {"groups": []}}, "\\u0061": {"filters": {"groups": []}}}}', 'a'],
  ['{"flags": {"a": {"filters": {"groups": [{"x": ":", "y": 1}, {"y": 1, "y": 2}]}}}}', 'y'],
])('of a file of flags is refused with a repeated key: %s', (text, key) => {
  expect(() => parseFlagFile(text, 'halyard.json')).toThrow(
    `halyard.json has the key "${key}" twice in one object.`,
  )
})
