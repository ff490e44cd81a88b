// PostHog, or another Halyard, as the source of an import.
import { parseExactly } from '../../http/body/exact-integers'
import { isObject, type JsonObject, type JsonValue } from '../../json'
import { CallError } from '../call'
import { type Client, type ClientOptions, createClient } from '../client'
import type { Evaluate, Evaluated, Source, Stream } from '../model'
import { isPlaceholder } from './flag-items'
import { countRows, readEvents, readGroups, readPersons } from './people'
import { type ProjectReading, readProject } from './read-project'

export interface Service extends Omit<ClientOptions, 'headers'> {
  key: string
  project: string
}

export const projectPath = (project: string) => `/api/projects/${encodeURIComponent(project)}/`

export const sourceId = ({ url, project }: Pick<Service, 'url' | 'project'>) => `posthog ${url} ${project}`

export const serviceClient = (service: Service): Client =>
  createClient({
    ...service,
    // A browser has a session instead of a key.
    headers: service.key === '' ? {} : { Authorization: `Bearer ${service.key}` },
  })

/**
 * @param isExport whether the project is read for a file: each of its lists, and no notes on its flags
 * @param isHalyard whether the service is a Halyard
 */
export function posthogSource(
  service: Service,
  { isExport = false, isHalyard = isExport }: { isExport?: boolean; isHalyard?: boolean } = {},
): Source {
  const client = serviceClient(service)
  const project = projectPath(service.project)
  const title = `${client.url}, project ${service.project}`
  let reading: ProjectReading | null = null
  return {
    title,
    id: sourceId(service),
    async readItems() {
      await requireProject(client, project)
      reading = await readProject({
        client,
        project,
        origin: isExport ? null : title,
        members: 'one',
      })
      return reading.items
    },
    remarks: () => reading?.remarks ?? [],
    pagesPerHour: (stream) => (isPostHogCloud(client.url) ? PAGES_PER_HOUR[stream] : null),
    count: (stream) => countRows(client, project, stream),
    readPage(stream: Stream, cursor) {
      switch (stream) {
        case 'person':
          return readPersons(client, project, cursor)
        case 'group':
          return readGroups(client, project, reading?.names.groupTypes ?? new Map(), cursor)
        case 'event':
          return readEvents(client, project, cursor, isHalyard)
      }
    },
    evaluate: evaluateWith(client, project),
  }
}

const isPostHogCloud = (url: string) => /^https:\/\/(?:[\w-]+\.)*posthog\.com$/.test(url)

/** Limits of https://posthog.com/docs/api#rate-limiting: lists, and queries, with which events are read. */
const PAGES_PER_HOUR: Readonly<Record<Stream, number>> = { person: 1_200, group: 1_200, event: 2_400 }

/** Reads the lists. Missing lists are left out, which are all of them if there is no such project. @throws CallError */
async function requireProject(client: Client, project: string): Promise<void> {
  try {
    await client.call('GET', project)
  } catch (error) {
    // A key may be allowed to read lists, but not the project.
    if (!(error instanceof CallError) || error.status !== 403) throw error
  }
}

/** Evaluates with `/flags`, as SDKs do. */
export function evaluateWith(client: Client, project: string): Evaluate {
  let token: Promise<JsonValue> | null = null
  const readToken = async () => (await client.call<JsonObject>('GET', project)).api_token ?? null
  return async ({ distinctId, properties, groups }) => {
    const answer = await client.repeatable<JsonObject>('/flags/?v=2', {
      token: await (token ??= readToken()),
      distinct_id: distinctId,
      person_properties: properties,
      groups: Object.fromEntries(Object.entries(groups).map(([type, { key }]) => [type, key])),
      group_properties: Object.fromEntries(
        Object.entries(groups).map(([type, { properties: own }]) => [type, own]),
      ),
      geoip_disable: true,
      evaluation_runtime: 'all',
    })
    // Earlier versions return values only.
    if (!isObject(answer.flags ?? null))
      return mapValues((answer.featureFlags ?? {}) as JsonObject, (value) => ({ value }))
    return mapValues(answer.flags as JsonObject, evaluatedOf)
  }
}

const mapValues = <T>(of: JsonObject, map: (value: JsonValue) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(of).map(([key, value]) => [key, map(value ?? null)]))

function evaluatedOf(flag: JsonValue): Evaluated {
  const { enabled, variant, metadata } = flag as {
    enabled?: boolean
    variant?: string | null
    metadata?: { payload?: JsonValue }
  }
  const payload = metadata?.payload ?? null
  return {
    value: enabled === true ? (variant ?? true) : false,
    ...(isPlaceholder(payload) ? {} : { payload: parsed(payload) }),
  }
}

/** Parses a payload, which is JSON as text. */
function parsed(payload: JsonValue): JsonValue {
  if (typeof payload !== 'string') return payload
  try {
    return parseExactly(payload) as JsonValue
  } catch {
    return payload
  }
}
