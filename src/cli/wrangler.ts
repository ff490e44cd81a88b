// Runs wrangler in the current folder, which npm sets to the project's.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { onExit } from './exit-cleanup'

export const BINARY = join(import.meta.dirname, '../../node_modules/.bin/wrangler')

/**
 * @param extra is added to the environment
 * @returns the standard output
 * @throws with the output, when wrangler fails
 */
export async function runWrangler(
  args: readonly string[],
  extra: Record<string, string> = {},
): Promise<string> {
  const running = promisify(execFile)(BINARY, args, {
    env: {
      ...process.env,
      ...WRANGLER_ENVIRONMENT,
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_HIDE_BANNER: 'true',
      ...extra,
    },
    maxBuffer: Infinity,
  })
  running.child.stdin!.end()
  const stop = onExit(() => running.child.kill())
  try {
    return (await running).stdout
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string }
    const output = stripVTControlCharacters(stderr || stdout || message).trim()
    throw new Error(`wrangler ${args[0]} failed:\n${output}`, { cause: error })
  } finally {
    stop()
  }
}

/**
 * Variables that disable variables of the Worker from `.env`, usage statistics, network requests, and records of requests on disk: the local explorer would serve the database
 * without credentials, and traces and logs would store URLs with the keys in them.
 */
export const WRANGLER_ENVIRONMENT = {
  CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  X_LOCAL_EXPLORER: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
}

/**
 * An option of `wrangler dev`: addresses that members enter may be of services of this machine and network, unless a proxy makes this one
 * public.
 */
export const LOCAL_HOSTS = `--var=ALLOW_PRIVATE_HOSTS:${process.env.ALLOW_PRIVATE_HOSTS ?? 'on'}`
