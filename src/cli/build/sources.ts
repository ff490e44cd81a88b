// Helpers that decide whether the result of a build is up to date with its sources.
import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const ROOT = join(import.meta.dirname, '../../..')

/** @returns a hash of the names and contents of the files that match, in the project's folder */
export function hashOfSources(patterns: readonly string[]): string {
  const hash = createHash('sha256')
  const files = patterns.flatMap((pattern) =>
    globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**', '**/schema.d.ts'] }),
  )
  for (const file of files.sort()) {
    const path = join(ROOT, file)
    if (statSync(path).isFile()) hash.update(`${file}\0`).update(readFileSync(path))
  }
  return hash.digest('hex')
}

/** @returns the text of a file, or null when it cannot be read */
export function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
