// Finds problems of wrangler.toml, and returns them as sentences that name the section. The functions are pure.
import type { Unstable_Config as Config } from 'wrangler'
import { DAILY, EVERY_MINUTE } from '../../jobs/crons'
import { QUEUE_ENDINGS } from '../../jobs/queues'
import { CONFIG_FILE, DATABASE, FIRST_SHARD, isDatabase, NAMESPACE } from './bindings'

/** Returns the names that an environment does not inherit from the top, by section of wrangler.toml. */
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

export function missingNames(config: Config, top: Config, environment: string | null): string[] {
  const where = sectionName(environment)
  const has = namesIn(config)
  const required: Record<string, string[]> = {
    ...namesIn(top),
    // An environment may have fewer shards than the top.
    d1_databases: [DATABASE, FIRST_SHARD],
    kv_namespaces: [NAMESPACE],
  }
  return [
    ...(config.name ? [] : [`${where} has no \`name\` for the Worker.`]),
    ...Object.entries(required).flatMap(([section, names]) =>
      ifAny(
        names.filter((name) => !has[section]!.includes(name)),
        (list) => `${where} has no ${list} under \`${section}\`.`,
      ),
    ),
  ]
}

const ifAny = (names: readonly string[], problem: (list: string) => string): string[] =>
  names.length > 0 ? [problem(names.join(', '))] : []

const sectionName = (environment: string | null) =>
  environment === null ? CONFIG_FILE : `[env.${environment}] of ${CONFIG_FILE}`

/** Returns databases without a name or with the name of another, and bindings that look like shards but are not. */
export function databaseProblems({ d1_databases: all }: Config, environment: string | null): string[] {
  const where = sectionName(environment)
  const databases = all.filter(({ binding }) => isDatabase(binding))
  const unnamed = databases.filter(({ database_name: name }) => !name)
  const sameName = databases.flatMap(({ binding, database_name: name }, index) => {
    const first = databases.slice(0, index).find((other) => name && other.database_name === name)
    return first ? [`${where} binds ${first.binding} and ${binding} to the same database ${name}.`] : []
  })
  const misspelled = all.filter(({ binding }) => /^EVENTS/i.test(binding) && !isDatabase(binding))
  return [
    ...unnamed.map(({ binding }) => `${where} has no \`database_name\` for the binding ${binding}.`),
    ...sameName,
    ...misspelled.map(
      ({ binding }) => `${where} binds ${binding}: analytics shards are called EVENTS, EVENTS_2 … EVENTS_99.`,
    ),
  ]
}

/** Returns queues that the Worker would not recognize by the end of their names, and queues without a consumer or a producer. */
export function queueProblems({ queues }: Config, environment: string | null): string[] {
  const where = sectionName(environment)
  const endings: Readonly<Record<string, string>> = QUEUE_ENDINGS
  const produced = queues.producers ?? []
  const consumed = (queues.consumers ?? []).map(({ queue }) => queue)
  const misnamed = produced.flatMap(({ binding, queue }) => {
    const ending = endings[binding]
    return queue === undefined || ending === undefined || queue.endsWith(ending)
      ? []
      : [`${where} calls the queue of ${binding} ${queue}: its name must end in ${ending}.`]
  })
  const names = produced.map(({ queue }) => queue).filter((name) => name !== undefined)
  const unconsumed = [...new Set(names)].filter((name) => !consumed.includes(name))
  const unknown = consumed.filter((name) => !names.includes(name))
  return [
    ...misnamed,
    ...ifAny(unconsumed, (list) => `${where} has no consumer of ${list} under \`queues.consumers\`.`),
    ...ifAny(unknown, (list) => `${where} consumes ${list}, which is not under \`queues.producers\`.`),
  ]
}

/** Returns cron triggers that are missing. The Worker tells its programs apart by them. */
export function triggerProblems({ triggers }: Config, environment: string | null): string[] {
  const missing = [EVERY_MINUTE, DAILY].filter((cron) => !triggers?.crons?.includes(cron))
  return ifAny(
    missing.map((cron) => `"${cron}"`),
    (list) => `${sectionName(environment)} has no ${list} under \`triggers.crons\`: keep it as it was.`,
  )
}

/** Returns resources that two environments must not share. */
export function sharedResources(
  config: Config,
  other: Config,
  environment: string | null,
  otherEnvironment: string | null,
): string[] {
  const where = sectionName(environment)
  const otherName = otherEnvironment === null ? 'the top of the file' : `[env.${otherEnvironment}]`
  const both = exclusiveResources(config).filter((name) => exclusiveResources(other).includes(name))
  const taken = new Set(other.ratelimits.map(({ namespace_id: id }) => id))
  const counted = config.ratelimits.filter(({ namespace_id: id }) => taken.has(id)).map(({ name }) => name)
  return [
    ...ifAny(both, (list) => `${where} shares ${list} with ${otherName}: each environment needs its own.`),
    ...ifAny(
      counted,
      (list) =>
        `${where} counts ${list} together with ${otherName}: give each of these \`ratelimits\` a \`namespace_id\` of its own.`,
    ),
  ]
}

/** Returns resources that belong to one environment. Projects of two environments have the same ids, also at ClickHouse. */
function exclusiveResources(config: Config): string[] {
  const { CLICKHOUSE_URL: server, CLICKHOUSE_DATABASE: name } = config.vars as Record<string, string>
  const namespace = config.kv_namespaces.find(({ binding }) => binding === NAMESPACE)
  return [
    `the Worker ${config.name}`,
    ...config.d1_databases
      .filter(({ binding }) => isDatabase(binding))
      .flatMap(({ database_name, database_id }) => [database_name, database_id])
      .flatMap((one) => (one ? [`the database ${one}`] : [])),
    ...(namespace?.id ? [`the KV namespace ${namespace.id}`] : []),
    ...queuesOf(config).map((queue) => `the queue ${queue}`),
    ...(server ? [`the database ${name || 'default'} on ${server}`] : []),
  ]
}

/** Returns names of queues, including dead letter queues. */
export function queuesOf({ queues }: Config): string[] {
  const names = [
    ...(queues.producers ?? []).map(({ queue }) => queue),
    ...(queues.consumers ?? []).flatMap(({ queue, dead_letter_queue: dead }) => [queue, dead]),
  ]
  return [...new Set(names.filter((name) => name !== undefined))]
}
