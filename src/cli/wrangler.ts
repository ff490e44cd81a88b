// Runs wrangler in the current folder, which npm sets to the project's.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { onExit } from './exit-cleanup'

export const BINARY = join(import.meta.dirname, '../../node_modules/.bin/wrangler')

/**
 * @param extra is added to the environment.
 * @returns its standard output.
 * @throws with its output, when it fails.
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
 * No usage statistics, no requests to a network, and nothing on disk about requests: the local explorer would serve the database without
 * credentials, and traces and logs would store URLs with the keys in them.
 */
export const WRANGLER_ENVIRONMENT = {
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
}

const environment = () => ({ ...process.env, ...WRANGLER_ENVIRONMENT })
