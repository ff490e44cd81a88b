// Files and answers that are read by commands and by the console: exports, files of flags, and features of another service.
import { fileSource } from '../../../../src/import/file/source'
import { parseFlagFile } from '../../../../src/import/flag-file/file'
import { keysOfFeatures } from '../../../../src/import/unleash/keys'
import { canonicalJson } from '../../../../src/import/fingerprint'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, repeated, type Shapes, TEXTS, VALUES } from '../shapes'

/** A part of what a file may have: as much as shows how the work grows. */
const MAX_FILE = 256 * 1024

const JSON_TEXTS: Shapes<string> = { ...TEXTS, ...mapped(VALUES, (value) => JSON.stringify(value)) }

async function* parts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += 4_096) yield bytes.subarray(at, at + 4_096)
}

const LINES: Shapes<string> = {
  ...mapped(JSON_TEXTS, (text) => `${text}\n`),
  'empty lines': repeated('\n'),
  'one line': repeated(' '),
}

const FLAGS: Shapes<string> = mapped(
  {
    'wrong flags': (size) => Object.fromEntries(list(size / 14, (index) => [`flag${index}`, index])),
    'fields that do not exist': (size) => ({
      a: Object.fromEntries(list(size / 14, (index) => [`x${index}`, index])),
    }),
    'wrong names': (size) => Object.fromEntries(list(size / 14, (index) => [`flag ${index}`, {}])),
    flags: (size) =>
      Object.fromEntries(list(size / 40, (index) => [`flag${index}`, { filters: { groups: [] } }])),
  },
  (flags) => JSON.stringify({ flags }),
)

const list = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => item(index))

const NAMES: Shapes<{ name: string }[]> = {
  'without letters': (size) => list(size / 12, (index) => ({ name: '!'.repeat(1 + (index % 9)) })),
  'that become alike': (size) => list(size / 12, (index) => ({ name: `a b${index % 2 ? '!' : '?'}` })),
  'that grow when they are normalized': (size) => list(size / 200, () => ({ name: '\uFDFA'.repeat(64) })),
}

const ENTRIES: readonly Entry[] = [
  entry('an export', MAX_FILE, LINES, async (text) =>
    (await fileSource({ name: 'file', read: () => parts(text) })).readItems(),
  ),
  entry('a file of flags', MAX_FILE, { ...JSON_TEXTS, ...FLAGS }, (text) =>
    parseFlagFile(text, 'halyard.json'),
  ),
  entry('names of features', MAX_FILE, NAMES, (features) => keysOfFeatures({ features } as never)),
  entry('a value that is compared', MAX_FILE, VALUES, (value) => canonicalJson(value as never)),
]

itGrowsLinearly('files', ENTRIES)
