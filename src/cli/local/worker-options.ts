// Returns the Worker of wrangler.toml as options of Miniflare: its bindings, consumers, assets and compatibility date. `npm start` serves
// with these options, the commands open the local databases with them, and the tests that drive real clients use them too.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { requireNone } from '../command'
import { CONFIG_FILE } from '../deploy/bindings'
import { DEV_VARS } from '../deploy/secrets'
import { settingProblems, unknownNames, VARIABLES } from '../deploy/settings'
import { WRANGLER_ENVIRONMENT } from '../wrangler'

/** Wrangler's state next to wrangler.toml, which `wrangler dev` uses as well. */
export const STATE = '.wrangler/state'
/** The folder for Miniflare. Wrangler puts the version of its layout into the path. */
export const PERSISTENCE = `${STATE}/v3`

/** The options that this project reads. The others are passed to Miniflare unchanged. */
export interface WorkerOptions {
  name: string
  bindings: Readonly<Record<string, unknown>>
  d1Databases: Readonly<Record<string, { id: string }>>
  queueConsumers: Readonly<Record<string, { maxBatchSize?: number; maxBatchTimeout?: number }>>
  [more: string]: unknown
}

export interface LocalWorker {
  /** The options. Their variables are `[vars]` and those of `.dev.vars`. */
  options: WorkerOptions
  /** `[vars]` alone, as a deployment has them. */
  vars: Readonly<Record<string, unknown>>
  /** A key that differs when the bundle may differ for the same sources. */
  bundling: string
}

/** Sections of wrangler.toml that do not change the bundle. */
const NOT_BUNDLED = [
  'vars',
  'd1_databases',
  'r2_buckets',
  'kv_namespaces',
  'queues',
  'ratelimits',
  'triggers',
]
/** Options that contain absolute paths of the project's folder. */
const PATHS = ['configPath', 'userConfigPath', 'main', 'assets']

export async function deriveWorker(): Promise<LocalWorker> {
  prepareEnvironment()
  const { unstable_getMiniflareWorkerOptions: optionsOf, unstable_readConfig: readConfig } =
    await import('wrangler')
  const config = readConfig({ config: CONFIG_FILE })
  const { workerOptions } = optionsOf(CONFIG_FILE)
  const bundled = Object.entries(config).filter(([name]) => ![...NOT_BUNDLED, ...PATHS].includes(name))
  const main = relative(process.cwd(), config.main ?? '')
  return {
    vars: config.vars,
    options: { ...(workerOptions as unknown as WorkerOptions), name: config.name! },
    bundling: JSON.stringify({ main, ...Object.fromEntries(bundled) }),
  }
}

const CACHE = '.dev/worker.json'

/**
 * Returns the Worker of this folder, with the variables of `.dev.vars`. Wrangler takes two seconds to load, so that its result is cached
 * until the configuration changes.
 * @throws PreflightError with the problems of both files: a Worker that could not be deployed does not start either
 */
export async function readWorker(): Promise<LocalWorker> {
  prepareEnvironment()
  const known = readCache()
  if (known && known.key === keyOfWorker()) return known.worker
  const { readDesiredState } = await import('../deploy/desired-state')
  readDesiredState(null)
  const worker = await deriveWorker()
  // `npm start` and `npm run dev` set this one themselves.
  const variables = { ...worker.options.bindings, ALLOW_PRIVATE_HOSTS: '' }
  requireNone([
    ...unknownNames(Object.keys(variables), VARIABLES, `in ${DEV_VARS}`),
    ...settingProblems(variables, DEV_VARS),
  ])
  mkdirSync(dirname(CACHE), { recursive: true })
  // The file has the secrets of `.dev.vars`.
  writeFileSync(`${CACHE}.${process.pid}`, JSON.stringify({ key: keyOfWorker(), worker }), { mode: 0o600 })
  renameSync(`${CACHE}.${process.pid}`, CACHE)
  return worker
}

/** Sets variables of the environment that wrangler reads. */
const prepareEnvironment = () => Object.assign(process.env, WRANGLER_ENVIRONMENT, { WRANGLER_LOG: 'error' })

function readCache(): { key: string; worker: LocalWorker } | null {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8')) as { key: string; worker: LocalWorker }
  } catch {
    return null
  }
}

/** Returns a key of everything that wrangler reads and that is checked: the files, and the variables that choose among them. */
function keyOfWorker(): string {
  const hash = createHash('sha256').update(process.cwd())
  const code = [
    'deploy/config-problems.ts',
    'deploy/settings.ts',
    'local/worker-options.ts',
    '../../package-lock.json',
  ]
  for (const file of [CONFIG_FILE, DEV_VARS, ...code.map((name) => join(import.meta.dirname, '..', name))]) {
    hash.update(`\0${file}\0`).update(existsSync(file) ? readFileSync(file) : '')
  }
  const variables = Object.entries(process.env).filter(([name]) => /^(CLOUDFLARE|WRANGLER)_/.test(name))
  return hash.update(JSON.stringify(variables.sort())).digest('hex')
}
