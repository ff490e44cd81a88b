// The tables of a query: how many rows a reference to one reads, what reading them takes, and how large their columns are.
import type { Source } from '../ir'
import type { Expr } from '../ir'
import { type Amount, product, sum } from './amount'
import { inEach } from './extent'
import type { Ledger } from './ledger'
import { AGGREGATE, DOCUMENT_BYTE, LOOKUP, LOOKUP_ROW, ROW, SORTED_ROW } from './rates'
import { sized, type Sized, small } from './sized'
import { tableReads } from './table-reads'

/** Rows, and the sizes of their columns. */
export interface Shape {
  rows: Amount
  column(key: string): Sized
}

type TableSource = Extract<Source, { kind: 'table' | 'stored' }>

/** Bytes of a name, an id or a key: at most, and what they add up to. */
const NAME_BYTES = 100
const MAX_NAME_BYTES = 800

const name = (rows: Amount): Sized => sized({ sum: product(rows, NAME_BYTES), max: MAX_NAME_BYTES })

/**
 * Estimates the reading of a table.
 * @param conditions on the source, all of which hold.
 */
export function tableShape(source: TableSource, conditions: readonly Expr[], ledger: Ledger): Shape {
  if (source.kind === 'table' && source.table === 'sessions') return sessions(source.columns, ledger)
  const { rows, bytes, largest } = ledger.statistic(tableReads(source, conditions))
  ledger.spend(source.kind === 'stored' ? 'rows' : source.table, product(rows, ROW))
  const document = sized({ sum: bytes, max: largest })
  if (source.kind === 'stored') {
    return {
      rows,
      column: (key) =>
        key === 'row' ? small(rows) : { ...document, items: document.bytes, element: largest },
    }
  }
  if (source.table === 'events') {
    const found = lookups(source.columns, rows, bytes, ledger)
    return {
      rows,
      column: (key) => found(key) ?? (isDocument(key) ? stored(document, source, key) : column(key, rows)),
    }
  }
  return { rows, column: (key) => (key === 'properties' ? stored(document, source, key) : column(key, rows)) }
}

const isDocument = (key: string): boolean =>
  key === 'properties' || key === 'elements_chain' || key.startsWith('$')

/** A value out of the document of the row. */
const stored = (document: Sized, source: TableSource, key: string): Sized => ({
  ...document,
  stored: { document: `${source.id}`, path: key, bytes: document.bytes },
})

const MOMENTS = /(?:^|__)(?:timestamp|created_at|is_identified|index|cohort_id)$/

const column = (key: string, rows: Amount): Sized => (MOMENTS.test(key) ? small(rows) : name(rows))

/** What is looked up for an event: its person, its groups, its session. Columns that are properties are looked up in its document. */
function lookups(
  columns: ReadonlySet<string>,
  rows: Amount,
  bytes: Amount,
  ledger: Ledger,
): (key: string) => Sized | null {
  const uses = (prefix: string) => [...columns].some((key) => key.startsWith(prefix))
  const properties = [...columns].filter((key) => key !== 'properties' && isDocument(key)).length
  const looksUp = (count: number) => sum(product(rows, LOOKUP * count), product(bytes, DOCUMENT_BYTE * count))
  ledger.spend('properties', looksUp(properties))
  if (columns.has('person_id') || uses('person__')) ledger.spend('persons', product(rows, LOOKUP_ROW))
  const documents = new Map<string, Sized>()
  const add = (prefix: string, table: 'persons' | 'groups', rate: number) => {
    if (!uses(prefix)) return
    ledger.spend(table, sum(product(rows, LOOKUP_ROW), looksUp(rate)))
    const { largest } = ledger.statistic({ table, from: [], to: [], events: null })
    documents.set(`${prefix}properties`, sized(inEach(rows, largest)))
  }
  add('person__', 'persons', 0)
  for (const index of [0, 1, 2, 3, 4]) add(`group_${index}__`, 'groups', 1)
  if (uses('session__')) {
    sessions(new Set([...columns].filter((key) => key.startsWith('session__'))), ledger)
    ledger.spend('sessions', sum(product(rows, LOOKUP_ROW), looksUp(1)))
  }
  return (key) => documents.get(key) ?? null
}

/** Sessions are made of all events of the project. */
function sessions(columns: ReadonlySet<string>, ledger: Ledger): Shape {
  const { rows, bytes, largest } = ledger.statistic({ table: 'events', from: [], to: [], events: null })
  const read = columns.size + 1
  ledger.spend(
    'sessions',
    sum(
      product(rows, ROW + SORTED_ROW * 4 + (LOOKUP + AGGREGATE) * read),
      product(bytes, DOCUMENT_BYTE * read),
    ),
  )
  return {
    rows,
    column: (key) =>
      /\$(?:entry|exit)_/.test(key)
        ? sized({ sum: bytes, max: largest })
        : key === 'session_id'
          ? sized({ sum: bytes, max: largest })
          : small(rows),
  }
}
