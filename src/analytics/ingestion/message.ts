// Messages of the ingestion queue: rows of one project as JSON text, packed so that the queue takes them.
import { Buffer } from 'node:buffer'
import type { AnalyticsStore } from '../../storage/shards'
import { type GroupCopy, type IngestionRows, type PersonCopy, ROW_KINDS } from '../../outbox/ingestion-rows'

/** Rows that no message holds, by where the main database keeps them. */
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

/** A message as it travels. */
export type MessageText = string

/** Bytes of a message. The queue takes 128 KB, with what it adds itself. */
export const MAX_MESSAGE_BYTES = 100_000

/** What a message takes besides its rows. */
const ENVELOPE_BYTES = 1_000

/** What a reference counts as, so that the rows behind those of one message fit into memory. */
const REFERENCE_BYTES = MAX_MESSAGE_BYTES / 10

/** Whether a row of so many bytes of JSON travels in a message; a larger one travels as a reference. */
const fitsMessage = (bytes: number): boolean => bytes <= MAX_MESSAGE_BYTES - ENVELOPE_BYTES

/** Lists of JSON texts, by name. */
type Lists = Map<string, string[]>

/**
 * Packs rows into as few messages as hold them, in their order. Persons and groups that no message holds travel as references to the main
 * database; events of that size are in the outbox already, under the ids of `largeEvents`.
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

/** A message that came off the queue. */
export function readMessage(text: MessageText): IngestionMessage {
  const { projectId, store, rows, large } = JSON.parse(text) as IngestionMessage
  return {
    projectId,
    store,
    rows: Object.fromEntries(ROW_KINDS.map((kind) => [kind, rows[kind] ?? []])) as unknown as IngestionRows,
    large: { persons: large.persons ?? [], groups: large.groups ?? [], events: large.events ?? [] },
  }
}
