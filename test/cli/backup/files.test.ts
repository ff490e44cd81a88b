// The files of a backup.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { partProblem, readLines, writeParts } from '../../../src/cli/backup/files'
import type { BackupPart } from '../../../src/storage/backup/format'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'halyard-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const LINES = 70

/** Lines of a megabyte, two a page. */
async function* pages() {
  for (let page = 0; page < LINES / 2; page += 1) {
    yield [0, 1].map((place) => JSON.stringify(`${2 * page + place}\u2028${'x'.repeat(1_000_000)}`))
  }
}

it('splits a large table into parts, each with its own checksum', { timeout: 240_000 }, async () => {
  const announced: BackupPart[] = []
  const parts = await writeParts(folder, 'events', pages(), (part) => announced.push(part))
  expect(parts).toEqual(announced)
  expect(parts.map(({ file, rows }) => [file, rows])).toEqual([
    ['events.0001.jsonl.gz', 64],
    ['events.0002.jsonl.gz', 6],
  ])
  const numbers: number[] = []
  for (const part of parts) {
    expect(await partProblem(folder, part)).toBeNull()
    for await (const line of readLines(folder, part)) numbers.push(parseInt(JSON.parse(line) as string, 10))
  }
  expect(numbers).toEqual(Array.from({ length: LINES }, (_, number) => number))
})

it('writes no file for a table without rows', async () => {
  const empty = (async function* () {})()
  expect(await writeParts(folder, 'events', empty, () => {})).toEqual([])
})
