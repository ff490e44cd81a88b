// Unleash as the source of an import: one environment of one project.
import type * as z from 'zod'
import type { JsonObject } from '../../json'
import { CallError } from '../call'
import { type Client, createClient } from '../client'
import type { Evaluate, Item, Source } from '../model'
import type { Service } from '../posthog/source'
import { Environments, FeatureExport, Playground, Segments } from './api'
import { flagItems, segmentItems } from './items'
import { keysOfFeatures } from './keys'

export interface UnleashService extends Service {
  /** The environment. Null means the only one that is enabled. */
  environment: string | null
}

/** Its functions throw an Error for an environment that does not exist, or when there are several and none is chosen. */
export function unleashSource(service: UnleashService): Source {
  const { key, project } = service
  const client = createClient({ ...service, headers: { Authorization: key } })
  let environment = service.environment
  let keys: ReadonlyMap<string, string> = new Map()
  let others: string[] = []
  const origin = () => `${client.url}, project ${project}, environment ${environment}`

  async function chooseEnvironment(): Promise<string> {
    const { environments } = await read(client, Environments, '/api/admin/environments')
    const names = environments.filter(({ enabled }) => enabled !== false).map(({ name }) => name)
    const chosen = environment ?? (names.length === 1 ? names[0]! : null)
    if (chosen === null || !names.includes(chosen))
      throw new Error(
        `--environment must be one of ${names.join(', ')}${chosen === null ? '' : `, got "${chosen}"`}.`,
      )
    others = names.filter((name) => name !== chosen)
    return chosen
  }

  return {
    get title() {
      return environment === null ? `${client.url}, project ${project}` : origin()
    },
    id: `unleash ${client.url} ${project} ${environment ?? ''}`,

    async readItems(): Promise<Item[]> {
      environment = await chooseEnvironment()
      const body = { environment, projects: [project], project, downloadFile: false }
      const exported = await read(client, FeatureExport, '/api/admin/features-batch/export', body)
      const { segments } = await read(client, Segments, '/api/admin/segments')
      keys = keysOfFeatures(exported)
      const now = new Date()
      return [...segmentItems(segments, exported, now), ...flagItems(exported, segments, origin(), now)]
    },

    remarks: () => [
      `An environment of Unleash is a project here: this import takes ${environment}.` +
        (others.length > 0 ? ` Import ${others.join(' and ')} into projects of their own.` : ''),
      'Context fields are properties of people here, by the same names; userId is the distinct id.',
      'Archived features do not come over: the API does not give their strategies.',
      '',
    ],
    count: async () => null,
    readPage: async () => null,
    evaluate: evaluateWith(
      client,
      project,
      () => environment!,
      (name) => keys.get(name) ?? name,
    ),
  }
}

async function read<T extends z.ZodType>(
  client: Client,
  schema: T,
  path: string,
  body?: JsonObject,
): Promise<z.output<T>> {
  const result = schema.safeParse(await (body ? client.repeatable(path, body) : client.call('GET', path)))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new CallError(
    null,
    `${client.url}${path} answered in another form: ${issue!.path.join('.')}: ${issue!.message}`,
  )
}

/** Evaluates with the playground, which evaluates as clients do. */
const evaluateWith =
  (client: Client, project: string, environment: () => string, keyOf: (name: string) => string): Evaluate =>
  async ({ distinctId, properties }) => {
    const context = { appName: 'halyard-import', userId: distinctId, properties }
    const body = { projects: [project], environment: environment(), context }
    const { features } = await read(client, Playground, '/api/admin/playground', body)
    return Object.fromEntries(
      features.map(({ name, isEnabled, variant }) => [
        keyOf(name),
        { value: isEnabled && variant?.enabled === true ? variant.name : isEnabled },
      ]),
    )
  }
