// Parses results in the format JSONCompact. The number of rows at its end detects an incomplete result: a connection may end early, and a
// late error comes with status 200, as text after the rows or as the member `exception`.
import { boundedText } from '../../bounded-text'
import { ClickhouseUnreachable } from './server'

type Body = AsyncIterable<Uint8Array>

interface Tail {
  rows?: unknown
  exception?: unknown
}

/**
 * @returns null past `maxBytes`
 * @throws ClickhouseUnreachable for an incomplete result
 */
export async function parseRows(body: Body, maxBytes: number): Promise<unknown[][] | null> {
  const text = await boundedText(body, maxBytes)
  if (text === null) return null
  const { data, ...tail } = parsed<Tail & { data?: unknown[][] }>(text)
  if (!Array.isArray(data)) throw incomplete()
  requireEnd(tail, data.length)
  return data
}

export class RowTooLarge extends Error {
  override readonly name = 'RowTooLarge'
}

/** Approximate characters of a batch. */
const BATCH = 500_000

/** Texts around the rows. ClickHouse writes each row on its own line. */
const BEFORE_ROWS = '\n\t"data":\n\t[\n'
const AFTER_ROWS = '\n\t],'

/**
 * Yields rows in batches. Discard them all if the generator throws, because only the end shows whether they are complete.
 * @param maxRowLength characters, though a row may be longer by up to a batch
 * @throws RowTooLarge past `maxRowLength`; ClickhouseUnreachable for an incomplete result
 */
export async function* parseRowBatches(body: Body, maxRowLength: number): AsyncGenerator<unknown[][]> {
  const decoder = new TextDecoder()
  let text = ''
  let part = 'head' as 'head' | 'rows' | 'tail'
  let count = 0

  /** Removes the comma-separated rows before `end` from `text`, and returns them. */
  function take(end: number): unknown[][] {
    const lines = text.slice(0, end).replace(/,\s*$/, '')
    text = text.slice(end)
    const rows = parsed<unknown[][]>(`[${lines}]`)
    count += rows.length
    return rows
  }

  function takeComplete(): unknown[][] {
    if (part === 'head') {
      const end = text.indexOf(BEFORE_ROWS)
      if (end >= 0) {
        // The line break stays, because the end of the rows begins with one, also when there are none.
        text = text.slice(end + BEFORE_ROWS.length - 1)
        part = 'rows'
      }
    }
    let rows: unknown[][] = []
    if (part === 'rows') {
      const end = text.indexOf(AFTER_ROWS)
      const lastLine = end >= 0 ? end : text.lastIndexOf(',\n') + 1
      if (lastLine > 0) rows = take(lastLine)
      if (end >= 0) part = 'tail'
    }
    if (text.length > maxRowLength) throw part === 'rows' ? new RowTooLarge() : incomplete()
    return rows
  }

  // Only whole batches are searched: chunks may have 4 KB, and searching a long row at each of them would take minutes.
  let due = BATCH
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length < due) continue
    const rows = takeComplete()
    due = text.length + BATCH
    if (rows.length > 0) yield rows
  }
  text += decoder.decode()
  const last = takeComplete()
  if (last.length > 0) yield last
  if (part !== 'tail') throw incomplete()
  requireEnd(parsed<Tail>(`{${text.slice(AFTER_ROWS.length)}`), count)
}

function parsed<T>(text: string): T {
  try {
    const value = JSON.parse(text) as T
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // The error below is thrown without the text, which may contain personal data.
  }
  throw incomplete()
}

function requireEnd({ rows, exception }: Tail, count: number): void {
  if (rows !== count || exception !== undefined) throw incomplete()
}

const incomplete = () => new ClickhouseUnreachable('the result is not complete')
