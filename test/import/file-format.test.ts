// Lines of the file of an export.
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
