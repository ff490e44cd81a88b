// Wrangler as the commands here call it: quiet, and with errors that say what wrangler said. It acts on the folder that the command was
// started in, which npm makes the project's own.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { onExit } from './exit-cleanup'

const BINARY = join(import.meta.dirname, '../../node_modules/.bin/wrangler')

/** Where a command acts: on the database in .wrangler/, or on the deployed one. */
export type Place = '--local' | '--remote'

/** Starts wrangler with the terminal's own input and output. */
export function startWrangler(args: readonly string[]): ChildProcess {
  return spawn(BINARY, args, { env: environment(), stdio: ['ignore', 'inherit', 'inherit'] })
}

/**
 * Runs wrangler to its end.
 * @param extra joins the environment.
 * @returns what it wrote to standard output.
 * @throws with what it said of it, when it fails.
 */
export function runWrangler(args: readonly string[], extra: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(BINARY, args, {
      env: { ...environment(), CI: 'true', NO_COLOR: '1', WRANGLER_HIDE_BANNER: 'true', ...extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const stop = onExit(() => child.kill())
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      stop()
      if (code === 0) resolve(stdout)
      else
        reject(new Error(`wrangler ${args[0]} failed:\n${stripVTControlCharacters(stderr || stdout).trim()}`))
    })
  })
}

/**
 * Runs SQL statements as one transaction; gives the rows of the last one.
 * @param environment whose database; null: that of the top of wrangler.toml.
 * @param binding of the database.
 */
export async function executeSql(
  place: Place,
  statements: readonly string[],
  environment: string | null = null,
  binding = 'DB',
): Promise<Record<string, unknown>[]> {
  const command = ['--json', '--yes', '--command', statements.join(';\n')]
  const from = environment ? ['--env', environment] : []
  const output = await runWrangler(['d1', 'execute', binding, place, ...from, ...command])
  const results = JSON.parse(output) as { results: Record<string, unknown>[] }[]
  return results.at(-1)?.results ?? []
}

/** No statistics to anybody, and no look-ups that need a network. */
const environment = () => ({
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
})
