// Returns the source text of the checks for materializing a query, which the Worker shows, because its own code is minified.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'src/endpoints/materialization/analysis'

/** The files that a reader looks for first. */
const FIRST = ['rules.ts', 'reasons.ts']

/** Returns the lines of each file, by its path. */
export function checksSource(root: string): Readonly<Record<string, readonly string[]>> {
  const names = globSync('*.ts', { cwd: join(root, FOLDER) }).sort()
  return Object.fromEntries(
    [...new Set([...FIRST, ...names])]
      .map((name) => `${FOLDER}/${name}`)
      .map((path) => [path, readFileSync(join(root, path), 'utf8').trimEnd().split('\n')]),
  )
}
