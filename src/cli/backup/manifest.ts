// What a backup consists of. The manifest is written last: a folder without one holds no backup.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PreflightError } from '../command'
import { type Part, readLines } from './files'
import type { Value } from './rows'

/** Goes up when a restore has to read something differently. */
const FORMAT = 1
const FILE = 'manifest.json'

export interface BackedUpTable {
  name: string
  /** The order of the values in a line. */
  columns: string[]
  rows: number
  parts: Part[]
}

export interface BackedUpDatabase {
  binding: string
  /** Files of the migrations that were applied, in their order. */
  migrations: string[]
  /** In the order in which they are filled. */
  tables: BackedUpTable[]
  /** By table: the last id that was given, also when its row is gone. */
  sequences: Record<string, number>
}

export interface Manifest {
  format: typeof FORMAT
  /** A UUID: an interrupted restore is continued from the same backup only. */
  id: string
  startedAt: string
  finishedAt: string
  /** The main database, then the shards. */
  databases: BackedUpDatabase[]
}

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>): void =>
  writeFileSync(join(folder, FILE), `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
  })

/** @throws PreflightError when there is none, or one of another format. */
export function readManifest(folder: string): Manifest {
  const path = join(folder, FILE)
  if (!existsSync(path)) {
    throw new PreflightError(`${folder} holds no backup, or one that was not finished: there is no ${FILE}.`)
  }
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  } catch {
    throw new PreflightError(`${path} is not valid JSON.`)
  }
  if (manifest.format !== FORMAT) {
    throw new PreflightError(`${path} has the format ${manifest.format}; this code reads format ${FORMAT}.`)
  }
  return manifest
}

/** The rows of a table, by column. */
export async function* readRows(
  folder: string,
  { columns, parts }: BackedUpTable,
): AsyncGenerator<Record<string, Value>> {
  for (const part of parts) {
    for await (const line of readLines(folder, part)) {
      const values = JSON.parse(line) as Value[]
      yield Object.fromEntries(columns.map((column, place) => [column, values[place]!]))
    }
  }
}
