// The manifest of a backup. It is written last, so that a folder without one is no backup.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PreflightError } from '../command'
import { FORMAT, MANIFEST_FILE, type BackedUpTable, type Manifest } from '../../storage/backup/format'
import { readLines } from './files'
import type { Value } from '../../storage/backup/rows'

export const writeManifest = (folder: string, manifest: Omit<Manifest, 'format'>): void =>
  writeFileSync(
    join(folder, MANIFEST_FILE),
    `${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`,
    {
      mode: 0o600,
      flag: 'wx',
    },
  )

/** @throws PreflightError when there is no manifest, or one of another format */
export function readManifest(folder: string): Manifest {
  const path = join(folder, MANIFEST_FILE)
  if (!existsSync(path)) {
    throw new PreflightError(
      `${folder} holds no backup, or one that was not finished: there is no ${MANIFEST_FILE}.`,
    )
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

/** Returns the folder of a backup among those in `root`, or null. */
export function findBackup(root: string, id: string): string | null {
  const folders = readdirSync(root).map((name) => join(root, name))
  const isSame = (folder: string) => {
    try {
      return readManifest(folder).id === id
    } catch {
      // It is no backup.
      return false
    }
  }
  return folders.find(isSame) ?? null
}

/** Yields the rows of a table, by column. */
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
