// Results in ClickHouse's format JSONCompact. It ends with the number of its rows, by which an incomplete result is recognized: a connection
// may end early, and an error in the middle of a result comes with status 200, as text behind the rows or as the member `exception`.
import { boundedText } from '../../bounded-text'
import { ClickhouseUnreachable } from './server'

type Body = AsyncIterable<Uint8Array>

interface Tail {
  rows?: unknown
  exception?: unknown
}

/**
 * All rows of a result.
 * @returns null when it is longer than `maxBytes`.
 * @throws ClickhouseUnreachable when it is not a complete result.
 */
export async function readRows(body: Body, maxBytes: number): Promise<unknown[][] | null> {
  const text = await boundedText(body, maxBytes)
  if (text === null) return null
  const { data, ...tail } = parsed<Tail & { data?: unknown[][] }>(text)
  if (!Array.isArray(data)) throw incomplete()
  requireEnd(tail, data.length)
  return data
}

/** Characters of a batch, roughly. */
const BATCH = 500_000

/** Lines around the rows. ClickHouse writes each row on a line of its own, whatever is in it. */
const BEFORE_ROWS = '\n\t"data":\n\t[\n'
const AFTER_ROWS = '\n\t],'

/**
 * The rows of a result in batches, as they come. Whether it is complete is known at its end: rows of one that throws must not be used.
 * @param maxRowLength characters.
 * @throws ClickhouseUnreachable when it is not a complete result, or a row is longer than `maxRowLength`.
 */
export async function* readRowBatches(body: Body, maxRowLength: number): AsyncGenerator<unknown[][]> {
  const decoder = new TextDecoder()
  let text = ''
  let part: 'head' | 'rows' | 'tail' = 'head'
  let count = 0

  /** Takes the rows off `text`, up to a position; a comma separates them. */
  function take(end: number): unknown[][] {
    const lines = text.slice(0, end).replace(/,\s*$/, '')
    text = text.slice(end)
    const rows = parsed<unknown[][]>(`[${lines}]`)
    count += rows.length
    return rows
  }

  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (part === 'head') {
      const end = text.indexOf(BEFORE_ROWS)
      if (end >= 0) {
        // The line break stays: without rows, the end follows at once.
        text = text.slice(end + BEFORE_ROWS.length - 1)
        part = 'rows'
      }
    }
    if (part === 'rows') {
      const end = text.indexOf(AFTER_ROWS)
      if (end >= 0) {
        const rows = take(end)
        part = 'tail'
        if (rows.length > 0) yield rows
      } else if (text.length > BATCH) {
        const lastLine = text.lastIndexOf(',\n')
        if (lastLine >= 0) yield take(lastLine + 1)
      }
    }
    if (text.length > maxRowLength) throw incomplete()
  }
  text += decoder.decode()
  if (part !== 'tail') throw incomplete()
  requireEnd(parsed<Tail>(`{${text.slice(AFTER_ROWS.length)}`), count)
}

function parsed<T>(text: string): T {
  try {
    const value = JSON.parse(text) as T
    if (typeof value === 'object' && value !== null) return value
  } catch {
    // Falls through: what it was may hold people's data.
  }
  throw incomplete()
}

function requireEnd({ rows, exception }: Tail, count: number): void {
  if (rows !== count || exception !== undefined) throw incomplete()
}

const incomplete = () => new ClickhouseUnreachable('the result is not complete')
