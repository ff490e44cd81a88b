// What wrangler.toml asks for, as far as a deployment has to make it or check it.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Unstable_Config as Config, unstable_readConfig as readConfig } from 'wrangler'
import { SHARD_BINDING } from '../../analytics/store'
import { CONFIG_FILE, DATABASE, NAMESPACE } from './bindings'
import { lacking, queueProblems, queuesOf, shared } from './config-problems'
import { Refusal } from './refusal'

export interface Wanted {
  /** The Worker's name. */
  worker: string
  /** `[env.…]` of wrangler.toml; null: the file's top. */
  environment: string | null
  accountId: string | null
  /** With the id that wrangler.toml names; null: found by name, or made. */
  database: { name: string; id: string | null }
  /** Analytics shards, `EVENTS` first. */
  shards: { binding: string; name: string; id: string | null }[]
  /** The same. A namespace has the title that wrangler itself would give it. */
  namespace: { title: string; id: string | null }
  /** Names, those of dead letters among them. */
  queues: string[]
  /** Names of the secrets without which the Worker is not deployed. */
  secrets: string[]
  vars: Readonly<Record<string, string>>
  /** Addresses on the account's own domains. */
  urls: string[]
  /** Whether the Worker gets an address under workers.dev. */
  onWorkersDev: boolean
  /** Files of migrations/, in their order. */
  migrations: string[]
}

/** Reads the wrangler.toml of a folder. Throws a Refusal that says what is wrong with it. */
export function readWanted(environment: string | null, folder = '.'): Wanted {
  const path = join(folder, CONFIG_FILE)
  if (!existsSync(path)) {
    throw new Refusal(`There is no ${CONFIG_FILE} here. Run the command in the project's folder.`)
  }
  const config = readChecked(path, environment)
  // Of a file without environments, wrangler takes every name for one.
  if (environment !== null && !config.definedEnvironments?.includes(environment)) {
    throw new Refusal(`${CONFIG_FILE} has no [env.${environment}].`)
  }
  const top = environment === null ? config : readChecked(path, null)
  const others = (config.definedEnvironments ?? []).filter((name) => name !== environment)
  refuse([
    ...lacking(config, top, environment),
    ...queueProblems(config, environment),
    ...(environment === null ? [] : shared(config, top, environment, 'the top of the file')),
    ...(environment === null
      ? []
      : others.flatMap((name) => shared(config, readChecked(path, name), environment, `[env.${name}]`))),
  ])

  const database = config.d1_databases.find(({ binding }) => binding === DATABASE)!
  const namespace = config.kv_namespaces.find(({ binding }) => binding === NAMESPACE)!
  const worker = config.name!
  const routes = [...(config.routes ?? []), ...(config.route ? [config.route] : [])]
  return {
    worker,
    environment,
    accountId: config.account_id ?? null,
    database: { name: database.database_name!, id: database.database_id ?? null },
    shards: config.d1_databases
      .filter(({ binding }) => SHARD_BINDING.test(binding))
      .map(({ binding, database_name: name, database_id: id }) => ({ binding, name: name!, id: id ?? null })),
    namespace: { title: `${worker}-${NAMESPACE.toLowerCase()}`, id: namespace.id ?? null },
    queues: queuesOf(config),
    secrets: [...(config.secrets?.required ?? [])],
    vars: config.vars as Record<string, string>,
    urls: routes.flatMap(urlOf),
    onWorkersDev: config.workers_dev ?? routes.length === 0,
    migrations: readdirSync(join(folder, 'migrations/main'))
      .filter((file) => file.endsWith('.sql'))
      .sort(),
  }
}

function readChecked(path: string, environment: string | null): Config {
  try {
    return readConfig({ config: path, ...(environment ? { env: environment } : {}) }, { hideWarnings: true })
  } catch (error) {
    throw new Refusal(`${CONFIG_FILE} is not valid. ${(error as Error).message.trim()}`)
  }
}

function refuse(problems: string[]): void {
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
}

/** The address of a route. One for all hosts of a domain has none of its own. */
function urlOf(route: string | { pattern: string }): string[] {
  const pattern = typeof route === 'string' ? route : route.pattern
  const host = pattern.replace(/^https?:\/\//, '').split('/')[0]!
  return host.includes('*') ? [] : [`https://${host}`]
}
