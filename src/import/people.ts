// Moves persons, groups and events through capture, page by page.
import { uuidOf } from '../digest-uuid'
import { isArray, type JsonObject, type JsonValue } from '../json'
import { batchesOf } from './batches'
import type { Client } from './client'
import { canonicalJson } from './fingerprint'
import type { Source, Stream } from './model'
import type { Memory } from './memory'

/** Maximum bytes of one request, well below the limit of capture. */
const MAX_BATCH_BYTES = 2 * 1024 * 1024
const MAX_BATCH_EVENTS = 1_000

/** The distinct id of events about groups. They create no person. */
export const IMPORTER = 'halyard-import'

export interface StreamOptions {
  source: Source
  client: Client
  token: string
  memory: Memory
  progress(rows: number): void
  /**
   * Whether properties of the target are replaced. Otherwise persons only get those that they lack, and existing groups stay as they are.
   */
  overwrite: boolean
  /** Returns those groups of a page that the target has. */
  groupsHere(rows: readonly JsonObject[]): Promise<ReadonlySet<JsonObject>>
  /** Called for each event that the target rejects, and for each part that it leaves out. */
  refuse(detail: string): void
}

/** @returns the number of rows that were moved now, without those of which something was refused: from where the last import ended early or, unless it overwrites, from its end; or all. */
export async function moveStream(stream: Stream, options: StreamOptions): Promise<number> {
  const { source, memory, progress, refuse, overwrite } = options
  const known = memory.streams[stream]
  const last = known?.edition === source.edition ? known : undefined
  const end = overwrite ? null : (last?.cursor ?? null)
  let at = last?.done === false ? last : { cursor: end, rows: 0, done: false }
  let moved = 0
  while (!at.done) {
    const page = await source.readPage(stream, at.cursor)
    if (page === null) return moved
    const isKept = stream === 'group' && !overwrite ? await options.groupsHere(page.rows) : new Set()
    const rowOf = new Map(
      page.rows
        .filter((row) => !isKept.has(row))
        .flatMap((row) => eventsOf(stream, row, source.id, overwrite).map((event) => [event, row] as const)),
    )
    const refused = new Set<JsonObject>()
    for (const batch of batchesOf([...rowOf.keys()], MAX_BATCH_EVENTS, MAX_BATCH_BYTES)) {
      for (const { index, detail } of await send(batch, page.next === null, options)) {
        refuse(detail)
        refused.add(rowOf.get(batch[index]!)!)
      }
    }
    moved += page.rows.length - refused.size
    at = {
      cursor: page.next ?? page.resume ?? null,
      rows: at.rows + page.rows.length,
      done: page.next === null,
      ...(source.edition === undefined ? {} : { edition: source.edition }),
    }
    memory.rememberStream(stream, at)
    progress(at.rows)
  }
  return moved
}

async function send(
  batch: readonly JsonObject[],
  isLast: boolean,
  { client, token }: StreamOptions,
): Promise<readonly { index: number; detail: string }[]> {
  const body = { api_key: token, historical_migration: true, batch }
  // The last request waits, because what follows may query the events.
  const headers: Record<string, string> = isLast ? { Prefer: 'wait=10' } : {}
  const { errors } = await client.repeatable<{ errors?: { index: number; detail: string }[] }>(
    '/batch/',
    body,
    headers,
  )
  return errors ?? []
}

/**
 * Returns the events of a row. Their ids are derived from the row, so that what is sent twice is stored once. Persons and groups are no
 * events, so that queries count as at the source.
 */
export function eventsOf(stream: Stream, row: JsonObject, source: string, overwrite: boolean): JsonObject[] {
  switch (stream) {
    case 'event':
      return [{ ...row, properties: row.properties ?? {} }]
    case 'group': {
      const { group_type: type, group_key: key, properties } = row as Record<string, JsonValue>
      return [
        {
          uuid: uuidOf(`${source} group ${canonicalJson([type!, key!, properties ?? {}])}`),
          event: '$groupidentify',
          people_only: true,
          distinct_id: IMPORTER,
          properties: { $group_type: type!, $group_key: key!, $group_set: properties ?? {} },
        },
      ]
    }
    case 'person':
      return personEvents(row, source, overwrite)
  }
}

/**
 * Returns the events of a person. The first describes the person by its first distinct id, and the others merge the other ids into it.
 */
function personEvents(
  { distinct_ids: ids, properties, created_at: createdAt }: JsonObject,
  source: string,
  overwrite: boolean,
): JsonObject[] {
  const [first, ...others] = isArray(ids) ? ids.map(String) : []
  if (first === undefined) return []
  const common = { people_only: true, distinct_id: first, ...(createdAt ? { timestamp: createdAt } : {}) }
  const uuid = (what: string) => uuidOf(`${source} person ${first} ${what}`)
  const key = overwrite ? '$set' : '$set_once'
  return [
    {
      ...common,
      uuid: uuid(`${key} ${canonicalJson(properties ?? {})}`),
      event: '$set',
      properties: { [key]: properties ?? {} },
    },
    ...others.map((alias) => ({
      ...common,
      uuid: uuid(`merge ${alias}`),
      event: '$merge_dangerously',
      properties: { alias },
    })),
  ]
}
