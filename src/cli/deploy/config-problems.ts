// Finds problems of wrangler.toml, and returns them as sentences that name the section. The functions are pure.
import type { Unstable_Config as Config } from 'wrangler'
import { DAILY, EVERY_MINUTE } from '../../jobs/crons'
import { QUEUE_ENDINGS } from '../../jobs/queues'
import { CONFIG_FILE, DATABASE, isShard, NAMESPACE } from './bindings'
import { unknownNames, REQUIRED_VARIABLES, settingProblems, VARIABLES } from './settings'

interface Section {
  has: readonly { binding?: string; name?: string }[]
  required?: readonly string[]
  optional?: readonly string[]
}

const SHARDS = Array.from({ length: 100 }, (_, number) => `EVENTS_${number}`).filter(isShard)

/** Returns what wrangler.toml binds by section, with all names that the Worker reads. An environment does not inherit most sections. */
const sectionsOf = (config: Config): Record<string, Section> => ({
  d1_databases: { has: config.d1_databases, required: [DATABASE, 'EVENTS'], optional: SHARDS },
  kv_namespaces: { has: config.kv_namespaces, required: [NAMESPACE] },
  'durable_objects.bindings': {
    has: config.durable_objects.bindings,
    required: ['PROJECTS', 'QUERY_GATES', 'STREAMS'],
  },
  'queues.producers': { has: config.queues.producers ?? [], required: Object.keys(QUEUE_ENDINGS) },
  ratelimits: {
    has: config.ratelimits,
    required: ['KEY_RATE', 'TEST_EVALUATION_RATE', 'REMOTE_CONFIG_RATE', 'RUN_RATE', 'MATERIALIZED_RUN_RATE'],
  },
  assets: { has: [config.assets ?? []].flat(), required: ['ASSETS'] },
  r2_buckets: { has: config.r2_buckets, optional: ['BACKUPS'] },
  analytics_engine_datasets: { has: config.analytics_engine_datasets, optional: ['REQUESTS'] },
  ai: { has: [config.ai ?? []].flat(), optional: ['AI'] },
  vars: {
    has: Object.keys(config.vars).map((name) => ({ name })),
    required: REQUIRED_VARIABLES,
    optional: VARIABLES,
  },
  'secrets.required': {
    has: (config.secrets?.required ?? []).map((name) => ({ name })),
    optional: VARIABLES,
  },
})

/** Returns the problems of an environment, or of the top of the file. */
export function configProblems(config: Config, environment: string | null): string[] {
  const where = sectionName(environment)
  return [
    ...(config.name ? [] : [`${where} has no \`name\` for the Worker.`]),
    ...Object.entries(sectionsOf(config)).flatMap(([section, names]) => nameProblems(names, section, where)),
    ...settingProblems(config.vars, where),
    ...databaseProblems(config, where),
    ...queueProblems(config, where),
    ...triggerProblems(config, where),
    ...(config.assets?.run_worker_first === true
      ? []
      : [
          `${where} has no \`run_worker_first = true\` under \`assets\`: files would lack the headers of other responses.`,
        ]),
  ]
}

function nameProblems(
  { has, required = [], optional = [] }: Section,
  section: string,
  where: string,
): string[] {
  const names = has.flatMap(({ binding, name }) => binding ?? name ?? [])
  return [
    ...ifAny(
      required.filter((name) => !names.includes(name)),
      (list) => `${where} has no ${list} under \`${section}\`.`,
    ),
    ...unknownNames(names, [...required, ...optional], `under \`${section}\` in ${where}`),
  ]
}

const ifAny = (names: readonly string[], problem: (list: string) => string): string[] =>
  names.length > 0 ? [problem(names.join(', '))] : []

export const sectionName = (environment: string | null) =>
  environment === null ? CONFIG_FILE : `[env.${environment}] of ${CONFIG_FILE}`

/** Returns databases without a name or with the name of another. */
function databaseProblems({ d1_databases: databases }: Config, where: string): string[] {
  const unnamed = databases.filter(({ database_name: name }) => !name)
  const sameName = databases.flatMap(({ binding, database_name: name }, index) => {
    const first = databases.slice(0, index).find((other) => name && other.database_name === name)
    return first ? [`${where} binds ${first.binding} and ${binding} to the same database ${name}.`] : []
  })
  return [
    ...unnamed.map(({ binding }) => `${where} has no \`database_name\` for the binding ${binding}.`),
    ...sameName,
  ]
}

/** Returns queues that the Worker would not recognize by the end of their names, and queues without a consumer or a producer. */
function queueProblems({ queues }: Config, where: string): string[] {
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
  const lossy = (queues.consumers ?? []).filter(
    ({ queue, dead_letter_queue: dead }) => queue.endsWith(endings.INGESTION!) && !dead,
  )
  const unconsumed = [...new Set(names)].filter((name) => !consumed.includes(name))
  const unknown = consumed.filter((name) => !names.includes(name))
  return [
    ...misnamed,
    ...lossy.map(
      ({ queue }) =>
        `${where} has no \`dead_letter_queue\` for ${queue}: events that cannot be stored would be lost.`,
    ),
    ...ifAny(unconsumed, (list) => `${where} has no consumer of ${list} under \`queues.consumers\`.`),
    ...ifAny(unknown, (list) => `${where} consumes ${list}, which is not under \`queues.producers\`.`),
  ]
}

/** Returns cron triggers that are missing. The Worker tells its programs apart by them. */
function triggerProblems({ triggers }: Config, where: string): string[] {
  const crons = [EVERY_MINUTE, DAILY].filter((cron) => !triggers?.crons?.includes(cron))
  return ifAny(
    crons.map((cron) => `"${cron}"`),
    (list) => `${where} has no ${list} under \`triggers.crons\`: keep it as it was.`,
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
