// Moves persons, groups and events through capture, page by page.
import { uuidOf } from '../digest-uuid'
import { isArray, type JsonObject } from '../json'
import { batchesOf } from './batches'
import type { Client } from './client'
import { canonicalJson } from './fingerprint'
import type { Source, Stream } from './model'
import type { Memory, Progress } from './memory'

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
  /** Whether persons and groups are moved, too, or were. Then only events that are newer than those of earlier imports change them. */
  movesPeople: boolean
  /** Returns those groups of a page that the target has. */
  groupsHere(rows: readonly JsonObject[]): Promise<ReadonlySet<JsonObject>>
  /** Called for each event that the target rejects, and for each part that it leaves out. */
  refuse(detail: string): void
}

/** @returns the number of rows that were moved now, without those of which something was refused: from where the last import ended early or, unless it overwrites, from its end; or all. */
export async function moveStream(stream: Stream, options: StreamOptions): Promise<number> {
  const { source, memory, progress, refuse, overwrite, movesPeople } = options
  const known = memory.streams[stream]
  const last = known?.edition === source.edition ? known : undefined
  const end = overwrite ? null : (last?.cursor ?? null)
  let at: Progress = last?.done === false ? last : { cursor: end, rows: 0, done: false }
  const until = overwrite ? undefined : known?.until
  const isHistory = ({ timestamp }: JsonObject) =>
    movesPeople && (until === undefined || Date.parse(String(timestamp)) <= Date.parse(until))
  let newest = until
  let moved = 0
  while (!at.done) {
    const page = await source.readPage(stream, at.cursor)
    if (page === null) return moved
    const isKept = stream === 'group' && !overwrite ? await options.groupsHere(page.rows) : new Set()
    const rowOf = new Map(
      page.rows
        .filter((row) => !isKept.has(row))
        .flatMap((row) =>
          eventsOf(stream, row, source.id, { overwrite, isHistory: isHistory(row) }).map(
            (event) => [event, row] as const,
          ),
        ),
    )
    newest = timeOf(stream, page.rows.at(-1)) ?? newest
    const refused = new Set<JsonObject>()
    const sent = new Set(rowOf.values())
    for (const row of page.rows) {
      if (isKept.has(row) || sent.has(row)) continue
      refuse('A person without distinct ids is left out, because no event names them.')
      refused.add(row)
    }
    for (const batch of batchesOf([...rowOf.keys()], MAX_BATCH_EVENTS, MAX_BATCH_BYTES)) {
      for (const { index, detail } of await send(batch, page.next === null, options)) {
        refuse(detail)
        refused.add(rowOf.get(batch[index]!)!)
      }
    }
    moved += page.rows.length - refused.size
    const done = page.next === null
    const reached = done ? newest : until
    at = {
      cursor: page.next ?? page.resume ?? null,
      rows: at.rows + page.rows.length,
      done,
      ...(reached === undefined ? {} : { until: reached }),
      ...(source.edition === undefined ? {} : { edition: source.edition }),
    }
    memory.rememberStream(stream, at)
    progress(at.rows)
  }
  return moved
}

/** Returns the time of an event. A clock that is ahead must not make later events older than it. */
function timeOf(stream: Stream, row: JsonObject | undefined): string | undefined {
  const time = Math.min(Date.parse(String(row?.timestamp)), Date.now())
  return stream !== 'event' || Number.isNaN(time) ? undefined : new Date(time).toISOString()
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
 * @param isHistory whether the moved persons and groups are the outcome of the event. Applied again, it would change them: events come in
 * order of time, and the source applied them in order of arrival.
 */
export function eventsOf(
  stream: Stream,
  row: JsonObject,
  source: string,
  { overwrite, isHistory }: { overwrite: boolean; isHistory: boolean },
): JsonObject[] {
  switch (stream) {
    case 'event':
      return [{ ...row, properties: row.properties ?? {}, ...(isHistory ? { event_only: true } : {}) }]
    case 'group': {
      const { group_type: type, group_key: key, properties, created_at: createdAt } = row
      return [
        {
          uuid: uuidOf(`${source} group ${canonicalJson([type!, key!, properties ?? {}])}`),
          event: '$groupidentify',
          people_only: true,
          distinct_id: IMPORTER,
          ...(createdAt ? { timestamp: createdAt } : {}),
          properties: { $group_type: type!, $group_key: key!, $group_set: properties ?? {} },
        },
      ]
    }
    case 'person':
      return personEvents(row, source, overwrite)
  }
}

/**
 * Returns the events of a person. The first ones merge the other distinct ids into the first one, and the last one describes the person: a
 * person who is here under any of the ids has properties of its own by then.
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
    ...others.map((alias) => ({
      ...common,
      uuid: uuid(`merge ${alias}`),
      event: '$merge_dangerously',
      properties: { alias },
    })),
    {
      ...common,
      uuid: uuid(`${key} ${canonicalJson(properties ?? {})}`),
      event: '$set',
      properties: { [key]: properties ?? {} },
    },
  ]
}
