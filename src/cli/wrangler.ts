// Wrangler as the commands here call it: quiet, and with errors that say what wrangler said.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')
const BINARY = join(ROOT, 'node_modules/.bin/wrangler')

/** Where a command acts: on the database in .wrangler/, or on the deployed one. */
export type Place = '--local' | '--remote'

/** Starts wrangler with the terminal's own input and output. */
export function startWrangler(args: readonly string[]): ChildProcess {
  return spawn(BINARY, args, { cwd: ROOT, env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
}

/**
 * Runs wrangler to its end.
 * @param input given to it on standard input, so that secrets stay out of the process list.
 * @returns what it wrote to standard output.
 * @throws with everything that it wrote, when it fails.
 */
export function runWrangler(args: readonly string[], input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(BINARY, args, { cwd: ROOT, env: { ...environment(), CI: 'true' } })
    let stdout = ''
    let everything = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
      everything += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      everything += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(stdout)
      else reject(new Error(`wrangler ${args[0]} failed:\n${everything.trim()}`))
    })
    child.stdin.end(input)
  })
}

/** Runs SQL statements as one transaction; gives the rows of the last one. */
export async function executeSql(
  place: Place,
  statements: readonly string[],
): Promise<Record<string, unknown>[]> {
  const command = statements.join(';\n')
  const output = await runWrangler(['d1', 'execute', 'DB', place, '--json', '--yes', '--command', command])
  const results = JSON.parse(output) as { results: Record<string, unknown>[] }[]
  return results.at(-1)?.results ?? []
}

/** No statistics to anybody, and no look-ups that need a network. */
const environment = () => ({
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
})
