// What is wrong with wrangler.toml: sentences that say where, and what belongs there. Pure.
import type { Unstable_Config as Config } from 'wrangler'
import { QUEUE_ENDINGS } from '../../queues'
import { CONFIG_FILE, DATABASE, NAMESPACE } from './bindings'

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

/** What is not there, and does not come from the top either. */
export function lacking(config: Config, top: Config, environment: string | null): string[] {
  const where = placeOf(environment)
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
  return problems
}

const placeOf = (environment: string | null) =>
  environment === null ? CONFIG_FILE : `[env.${environment}] of ${CONFIG_FILE}`

/** The Worker knows its queues by how they end. What nobody consumes, and what it would not know, stays undone. */
export function queueProblems({ queues }: Config, environment: string | null): string[] {
  const where = placeOf(environment)
  const endings: Readonly<Record<string, string>> = QUEUE_ENDINGS
  const produced = queues.producers ?? []
  const consumed = (queues.consumers ?? []).map(({ queue }) => queue)
  const misnamed = produced.flatMap(({ binding, queue }) => {
    const ending = endings[binding]
    return queue === undefined || ending === undefined || queue.endsWith(ending)
      ? []
      : [`${where} calls the queue of ${binding} ${queue}: its name has to end in ${ending}.`]
  })
  const names = produced.map(({ queue }) => queue).filter((name) => name !== undefined)
  const unheard = [...new Set(names)].filter((name) => !consumed.includes(name))
  const unknown = consumed.filter((name) => !names.includes(name))
  return [
    ...misnamed,
    ...(unheard.length > 0
      ? [`${where} has no consumer of ${unheard.join(', ')} under \`queues.consumers\`.`]
      : []),
    ...(unknown.length > 0
      ? [`${where} consumes ${unknown.join(', ')}, where nothing comes from \`queues.producers\`.`]
      : []),
  ]
}

/** What must be an environment's own: two Workers that share a database or a queue take each other's work. */
export function shared(config: Config, other: Config, environment: string, whose: string): string[] {
  const where = placeOf(environment)
  const both = ownOf(config).filter((name) => ownOf(other).includes(name))
  const taken = new Set(other.ratelimits.map(({ namespace_id: id }) => id))
  const counted = config.ratelimits.filter(({ namespace_id: id }) => taken.has(id)).map(({ name }) => name)
  return [
    ...(both.length > 0
      ? [`${where} shares ${both.join(', ')} with ${whose}: each environment needs its own.`]
      : []),
    ...(counted.length > 0
      ? [
          `${where} counts ${counted.join(', ')} together with ${whose}: give each of these \`ratelimits\` a \`namespace_id\` of its own.`,
        ]
      : []),
  ]
}

/** What holds an environment's data, and who works on it. Projects of two have the same numbers, at ClickHouse too. */
function ownOf(config: Config): string[] {
  const { CLICKHOUSE_URL: server, CLICKHOUSE_DATABASE: name } = config.vars as Record<string, string>
  const database = config.d1_databases.find(({ binding }) => binding === DATABASE)
  const namespace = config.kv_namespaces.find(({ binding }) => binding === NAMESPACE)
  return [
    `the Worker ${config.name}`,
    ...(database?.database_name ? [`the database ${database.database_name}`] : []),
    ...(database?.database_id ? [`the database ${database.database_id}`] : []),
    ...(namespace?.id ? [`the KV namespace ${namespace.id}`] : []),
    ...queuesOf(config).map((queue) => `the queue ${queue}`),
    ...(server ? [`the database ${name || 'default'} on ${server}`] : []),
  ]
}

/** Names, those of dead letters among them. */
export function queuesOf({ queues }: Config): string[] {
  const names = [
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
  ]
  return [...new Set(names.filter((name) => name !== undefined))]
}
