// Messages of the ingestion queue: rows of one project as JSON text.
import { Buffer } from 'node:buffer'
import type { AnalyticsStore } from '../../storage/shards'
import { type GroupCopy, type IngestionRows, type PersonCopy, ROW_KINDS } from '../../outbox/ingestion-rows'

/** References to rows that are too large for a message. */
export interface LargeRows {
  persons: string[]
  groups: { typeIndex: number; key: string }[]
  /** Ids of outbox rows. */
  events: string[]
}

export interface IngestionMessage {
  projectId: number
  store: AnalyticsStore
  rows: IngestionRows
  large: LargeRows
}

export type MessageText = string

/** The queue takes 128 KB, including its own overhead. */
export const MAX_MESSAGE_BYTES = 100_000

const ENVELOPE_BYTES = 1_000

/** Limits the referenced rows of a message, which have to fit into memory. */
const REFERENCE_BYTES = MAX_MESSAGE_BYTES / 10

const fitsMessage = (bytes: number): boolean => bytes <= MAX_MESSAGE_BYTES - ENVELOPE_BYTES

/** JSON texts by list. */
type Lists = Map<string, string[]>

/**
 * Packs rows into few messages, in order. Persons and groups that are too large become references to the main database; large events are in
 * the outbox, as `largeEvents`.
 */
export function messagesOf(
  { projectId, store }: Pick<IngestionMessage, 'projectId' | 'store'>,
  rows: IngestionRows,
  largeEvents: readonly string[] = [],
): MessageText[] {
  const messages: { rows: Lists; large: Lists }[] = []
  let bytesLeft = 0

  function add(part: 'rows' | 'large', list: string, text: string, bytes: number): void {
    if (messages.length === 0 || bytes > bytesLeft) {
      messages.push({ rows: new Map(), large: new Map() })
      bytesLeft = MAX_MESSAGE_BYTES - ENVELOPE_BYTES
    }
    bytesLeft -= bytes
    const lists = messages.at(-1)![part]
    const texts = lists.get(list)
    if (texts) texts.push(text)
    else lists.set(list, [text])
  }

  for (const kind of ROW_KINDS) {
    for (const row of rows[kind]) {
      const text = JSON.stringify(row)
      const bytes = Buffer.byteLength(text) + 1
      if (fitsMessage(bytes)) add('rows', kind, text, bytes)
      else addReference(row)
    }
  }
  for (const id of largeEvents) add('large', 'events', JSON.stringify(id), REFERENCE_BYTES)

  function addReference(row: IngestionRows[keyof IngestionRows][number]): void {
    if (isPerson(row)) add('large', 'persons', JSON.stringify(row.uuid), REFERENCE_BYTES)
    else if (isGroup(row)) {
      const { typeIndex, key } = row
      add('large', 'groups', JSON.stringify({ typeIndex, key }), REFERENCE_BYTES)
    } else throw new Error('a row that no message holds')
  }

  const head = JSON.stringify({ projectId, store }).slice(0, -1)
  return messages.map((each) => `${head},"rows":${objectOf(each.rows)},"large":${objectOf(each.large)}}`)
}

const isPerson = (row: object): row is PersonCopy => 'isIdentified' in row
const isGroup = (row: object): row is GroupCopy => 'typeIndex' in row

const objectOf = (lists: Lists): string =>
  `{${[...lists].map(([name, texts]) => `"${name}":[${texts.join(',')}]`).join(',')}}`

export function parseMessage(text: MessageText): IngestionMessage {
  const { projectId, store, rows, large } = JSON.parse(text) as IngestionMessage
  return {
    projectId,
    store,
    rows: Object.fromEntries(ROW_KINDS.map((kind) => [kind, rows[kind] ?? []])) as unknown as IngestionRows,
    large: { persons: large.persons ?? [], groups: large.groups ?? [], events: large.events ?? [] },
  }
}
