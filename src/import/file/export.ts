// A project as the lines of a file, which an import takes in this order.
import { isObject, type JsonObject } from '../../json'
import type { Item, Source, Stream } from '../model'
import { type FileLine, FORMAT, itemLine } from './format'

/** Kinds that rows of streams refer to, or create. */
const FIRST = new Set(['group_type'])

export interface ExportOptions {
  source: Source
  streams: readonly Stream[]
  /** Whether payloads that are stored encrypted are in the file, readable. */
  withSecrets: boolean
  now: Date
  progress(stream: Stream, rows: number): void
}

/** @throws CallError. */
export async function* exportLines(options: ExportOptions): AsyncGenerator<FileLine> {
  const { source, streams, withSecrets, now, progress } = options
  const items = await source.readItems()
  const linesOf = (of: readonly Item[]) =>
    of
      .map((item) => (streams.includes('person') ? item : withoutPeople(item)))
      .map((item) => itemLine(withSecrets ? item : withoutSecrets(item)))
  const [first, others] = [true, false].map((isFirst) =>
    linesOf(items.filter(({ kind }) => FIRST.has(kind) === isFirst)),
  )
  yield {
    kind: 'halyard_project',
    format: FORMAT,
    exported_at: now.toISOString(),
    source: source.title,
  }
  yield* first!
  let lines = 2 + items.length
  for (const stream of streams) {
    let rows = 0
    for (let cursor: string | null = null; ;) {
      const page = await source.readPage(stream, cursor)
      for (const row of page?.rows ?? []) yield { kind: stream, row }
      progress(stream, (rows += page?.rows.length ?? 0))
      cursor = page?.next ?? null
      if (cursor === null) break
    }
    lines += rows
  }
  yield* others!
  yield { kind: 'end', lines }
}

/** Without persons and groups, no item has their ids or properties. */
function withoutPeople(item: Item): Item {
  const { members: _members, ...others } = item
  const group = item.initial?.group
  return {
    ...others,
    ...(isObject(group) ? { initial: { ...item.initial, group: { ...group, properties: {} } } } : {}),
  }
}

function withoutSecrets(item: Item): Item {
  if (item.kind !== 'flag' || item.value.has_encrypted_payloads !== true) return item
  const filters = { ...(item.value.filters as JsonObject), payloads: {} }
  return {
    ...item,
    value: { ...item.value, filters },
    problem: 'its encrypted payload is not in the file: export with --secrets',
  }
}
