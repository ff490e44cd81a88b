// Helpers that decide whether the result of a build is up to date with its sources.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** @returns a hash of the names and contents of files in the project's folder; one that is missing is empty */
export function hashOfFiles(files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file}\0`).update(readIfExists(join(ROOT, file)) ?? '')
  return hash.digest('hex')
}

/** @returns a hash of the files that match */
export const hashOfSources = (patterns: readonly string[]): string =>
  hashOfFiles(
    patterns
      .flatMap((pattern) =>
        globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', '**/schema.d.ts'] }),
      )
      .sort(),
  )

/** @returns the text of a file, or null when it cannot be read */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
