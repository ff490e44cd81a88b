// What wrangler.toml asks for, as far as a deployment has to make it or check it.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Unstable_Config as Config, unstable_readConfig as readConfig } from 'wrangler'
import { Refusal } from './refusal'

export const CONFIG_FILE = 'wrangler.toml'

/** The bindings that the code needs. */
export const DATABASE = 'DB'
export const NAMESPACE = 'SNAPSHOTS'

export interface Wanted {
  /** The Worker's name. */
  worker: string
  /** `[env.…]` of wrangler.toml; null: the file's top. */
  environment: string | null
  accountId: string | null
  /** With the id that wrangler.toml names; null: found by name, or made. */
  database: { name: string; id: string | null }
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
  refuse(lacking(config, top, environment))

  const database = config.d1_databases.find(({ binding }) => binding === DATABASE)!
  const namespace = config.kv_namespaces.find(({ binding }) => binding === NAMESPACE)!
  const worker = config.name!
  const routes = [...(config.routes ?? []), ...(config.route ? [config.route] : [])]
  return {
    worker,
    environment,
    accountId: config.account_id ?? null,
    database: { name: database.database_name!, id: database.database_id ?? null },
    namespace: { title: `${worker}-${NAMESPACE.toLowerCase()}`, id: namespace.id ?? null },
    queues: queuesOf(config),
    secrets: [...(config.secrets?.required ?? [])],
    vars: config.vars as Record<string, string>,
    urls: routes.flatMap(urlOf),
    onWorkersDev: config.workers_dev ?? routes.length === 0,
    migrations: readdirSync(join(folder, 'migrations'))
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

/** Names that an environment does not take over from the top, by what wrangler.toml calls them. */
function namesIn(config: Config): Record<string, string[]> {
  return {
    d1_databases: config.d1_databases.map(({ binding }) => binding),
    kv_namespaces: config.kv_namespaces.map(({ binding }) => binding),
    'durable_objects.bindings': config.durable_objects.bindings.map(({ name }) => name),
    'queues.producers': (config.queues.producers ?? []).map(({ binding }) => binding),
    ratelimits: config.ratelimits.map(({ name }) => name),
    vars: Object.keys(config.vars),
    'secrets.required': [...(config.secrets?.required ?? [])],
  }
}

function lacking(config: Config, top: Config, environment: string | null): string[] {
  const where = environment === null ? CONFIG_FILE : `[env.${environment}] of ${CONFIG_FILE}`
  const problems: string[] = []
  if (!config.name) problems.push(`${where} has no \`name\`, which the Worker is to be called.`)
  const has = namesIn(config)
  const wants: Record<string, string[]> = {
    ...namesIn(top),
    d1_databases: [DATABASE],
    kv_namespaces: [NAMESPACE],
  }
  for (const [section, names] of Object.entries(wants)) {
    const missing = names.filter((name) => !has[section]!.includes(name))
    if (missing.length > 0) problems.push(`${where} has no ${missing.join(', ')} under \`${section}\`.`)
  }
  const database = config.d1_databases.find(({ binding }) => binding === DATABASE)
  if (database && !database.database_name) {
    problems.push(`${where} has no \`database_name\` for the binding ${DATABASE}.`)
  }
  if (environment !== null) problems.push(...shared(config, top, where))
  return problems
}

/** What must be an environment's own: two Workers that share a database or a queue take each other's work. */
function shared(config: Config, top: Config, where: string): string[] {
  const nameOf = ({ d1_databases }: Config) =>
    d1_databases.flatMap(({ binding, database_name: name }) => (binding === DATABASE && name ? [name] : []))
  const own = [...nameOf(config), ...queuesOf(config)]
  const taken = new Set([...nameOf(top), ...queuesOf(top)])
  const both = own.filter((name) => taken.has(name))
  return both.length === 0
    ? []
    : [`${where} shares ${both.join(', ')} with the top of the file: each environment needs its own.`]
}

function queuesOf({ queues }: Config): string[] {
  const names = [
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
  ]
  return [...new Set(names.filter((name) => name !== undefined))]
}

/** The address of a route. One for all hosts of a domain has none of its own. */
function urlOf(route: string | { pattern: string }): string[] {
  const pattern = typeof route === 'string' ? route : route.pattern
  const host = pattern.replace(/^https?:\/\//, '').split('/')[0]!
  return host.includes('*') ? [] : [`https://${host}`]
}
