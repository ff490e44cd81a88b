// The parts of wrangler.toml that a deployment creates or checks.
import { existsSync } from 'node:fs'
import {
  experimental_readRawConfig as readRawConfig,
  type Unstable_Config as Config,
  unstable_readConfig as readConfig,
} from 'wrangler'
import { type Migration, readMigrations } from '../migrations'
import { CONFIG_FILE, migrationsFolderOf, NAMESPACE } from './bindings'
import { configProblems, queuesOf, sectionName, sharedResources } from './config-problems'
import { PreflightError, requireNone } from '../command'
import { MADE_SECRETS } from './secrets'
import { unknownNames } from './settings'

export interface DesiredDatabase {
  binding: string
  name: string
  /** The id. Null means that the database is found by the Worker's binding or by name, or else created. */
  id: string | null
  migrations: Migration[]
}

export interface DesiredState {
  /** The Worker's name. */
  worker: string
  /** The environment, `[env.…]` of wrangler.toml. Null means the file's top. */
  environment: string | null
  accountId: string | null
  /** The main database, then the analytics shards. */
  databases: DesiredDatabase[]
  /** The namespace. It has the title that wrangler itself would give it. */
  namespace: { title: string; id: string | null }
  /** The names of queues, including dead letter queues. */
  queues: string[]
  /** The names of the secrets without which the Worker is not deployed. */
  secrets: string[]
  vars: Readonly<Record<string, string>>
  /** The addresses on the account's own domains. */
  urls: string[]
  /** Whether the Worker gets an address under workers.dev. */
  onWorkersDev: boolean
}

/** @throws PreflightError with the problems of wrangler.toml */
export function readDesiredState(environment: string | null): DesiredState {
  if (!existsSync(CONFIG_FILE)) {
    throw new PreflightError(`There is no ${CONFIG_FILE} here. Run the command in the project's folder.`)
  }
  const config = readChecked(environment)
  // Without any environment in the file, wrangler accepts every name.
  if (environment !== null && !config.definedEnvironments?.includes(environment)) {
    throw new PreflightError(`${CONFIG_FILE} has no [env.${environment}].`)
  }
  const others = (config.definedEnvironments ?? []).filter((name) => name !== environment)
  requireNone([
    ...sectionProblems(config, environment),
    ...configProblems(config, environment),
    ...(environment === null ? [] : [null, ...others]).flatMap((name) =>
      sharedResources(config, readChecked(name), environment, name),
    ),
  ])

  const namespace = config.kv_namespaces.find(({ binding }) => binding === NAMESPACE)!
  const worker = config.name!
  const routes = [...(config.routes ?? []), ...(config.route ? [config.route] : [])]
  return {
    worker,
    environment,
    accountId: config.account_id ?? null,
    databases: databasesIn(config),
    namespace: { title: `${worker}-${NAMESPACE.toLowerCase()}`, id: namespace.id ?? null },
    queues: queuesOf(config),
    secrets: [...new Set([...Object.keys(MADE_SECRETS), ...(config.secrets?.required ?? [])])],
    vars: config.vars as Record<string, string>,
    urls: routes.flatMap(urlOf),
    onWorkersDev: config.workers_dev ?? routes.length === 0,
  }
}

/** Returns the R2 bucket for scheduled backups, or null when none is bound. */
export const backupBucketOf = (environment: string | null): string | null =>
  readChecked(environment).r2_buckets.find(({ binding }) => binding === 'BACKUPS')?.bucket_name ?? null

/** Returns the databases. `DB` sorts before `EVENTS`, and `EVENTS` before its numbered siblings. */
const databasesIn = (config: Config): DesiredDatabase[] =>
  config.d1_databases
    .sort((a, b) => a.binding.localeCompare(b.binding, 'en', { numeric: true }))
    .map(({ binding, database_name: name, database_id: id }) => ({
      binding,
      name: name!,
      id: id ?? null,
      migrations: readMigrations(migrationsFolderOf(binding)),
    }))

function readChecked(environment: string | null): Config {
  try {
    return readConfig(
      { config: CONFIG_FILE, ...(environment ? { env: environment } : {}) },
      { hideWarnings: true },
    )
  } catch (error) {
    throw new PreflightError(`${CONFIG_FILE} is not valid. ${(error as Error).message.trim()}`)
  }
}

/** Returns sections that are misspelt. Wrangler drops them, and its warnings are not shown. */
function sectionProblems(config: Config, environment: string | null): string[] {
  const { rawConfig } = readRawConfig({ config: CONFIG_FILE })
  const sections = environment === null ? rawConfig : rawConfig.env![environment]!
  return unknownNames(
    Object.keys(sections),
    [...Object.keys(config), 'env'],
    `in ${sectionName(environment)}`,
  )
}

/** Returns the address of a route, or none for a wildcard host. */
function urlOf(route: string | { pattern: string }): string[] {
  const pattern = typeof route === 'string' ? route : route.pattern
  const host = pattern.replace(/^https?:\/\//, '').split('/')[0]!
  return host.includes('*') ? [] : [`https://${host}`]
}
