// Messages of the ingestion queue: rows of one project as JSON text.
import { Buffer } from 'node:buffer'
import type { AnalyticsStore } from '../../storage/shards'
import {
  type GroupCopy,
  type IngestionRows,
  type PersonCopy,
  ROW_KINDS,
  type RowKind,
} from '../../outbox/ingestion-rows'
import { chunksOf } from '../../storage/json-parameters'

/** References to rows that are too large for a message. */
export interface LargeRows {
  persons: string[]
  groups: { typeIndex: number; key: string }[]
  /** Ids of rows in the outbox. */
  events: string[]
}

export interface IngestionMessage {
  projectId: number
  store: AnalyticsStore
  rows: IngestionRows
  large: LargeRows
}

export type MessageText = string

/** Maximum bytes of a message. The queue takes 128 KB, including its own overhead. */
export const MAX_MESSAGE_BYTES = 100_000

/** Maximum bytes of a message without its envelope. */
const CONTENT_BYTES = MAX_MESSAGE_BYTES - 1_000

/** Maximum bytes of references in a message, because the referenced rows have to fit into memory. */
const REFERENCE_BYTES = MAX_MESSAGE_BYTES / 10

/** A row, or a reference to one, in a list of the message. */
interface Item {
  part: 'rows' | 'large'
  list: string
  text: string
  bytes: number
}

/**
 * Packs rows into few messages, in order. Persons and groups that are too large become references to the main database. Large events
 * become references to the outbox: `largeEvents`.
 */
export function messagesOf(
  { projectId, store }: Pick<IngestionMessage, 'projectId' | 'store'>,
  rows: IngestionRows,
  largeEvents: readonly string[] = [],
): MessageText[] {
  const items = [
    ...ROW_KINDS.flatMap((kind) => rows[kind].map((row) => itemOf(kind, row))),
    ...largeEvents.map((id) => referenceTo('events', id)),
  ]
  const head = JSON.stringify({ projectId, store }).slice(0, -1)
  return chunksOf(items, ({ bytes }) => bytes, CONTENT_BYTES).map(
    (chunk) => `${head},"rows":${objectOf(chunk, 'rows')},"large":${objectOf(chunk, 'large')}}`,
  )
}

function itemOf(kind: RowKind, row: IngestionRows[RowKind][number]): Item {
  const text = JSON.stringify(row)
  const bytes = Buffer.byteLength(text) + 1
  if (bytes <= CONTENT_BYTES) return { part: 'rows', list: kind, text, bytes }
  if (isPerson(row)) return referenceTo('persons', row.uuid)
  if (isGroup(row)) return referenceTo('groups', { typeIndex: row.typeIndex, key: row.key })
  throw new Error('a row that no message holds')
}

const referenceTo = (list: keyof LargeRows, reference: unknown): Item => ({
  part: 'large',
  list,
  text: JSON.stringify(reference),
  bytes: REFERENCE_BYTES,
})

const isPerson = (row: object): row is PersonCopy => 'isIdentified' in row
const isGroup = (row: object): row is GroupCopy => 'typeIndex' in row

function objectOf(items: readonly Item[], part: Item['part']): string {
  const lists = Map.groupBy(
    items.filter((item) => item.part === part),
    ({ list }) => list,
  )
  return `{${[...lists].map(([name, each]) => `"${name}":[${each.map(({ text }) => text).join(',')}]`).join(',')}}`
}

export function parseMessage(text: MessageText): IngestionMessage {
  const { projectId, store, rows, large } = JSON.parse(text) as IngestionMessage
  return {
    projectId,
    store,
    rows: Object.fromEntries(ROW_KINDS.map((kind) => [kind, rows[kind] ?? []])) as unknown as IngestionRows,
    large: { persons: large.persons ?? [], groups: large.groups ?? [], events: large.events ?? [] },
  }
}
