// The file of an export as the source of an import.
import type { JsonObject } from '../../json'
import type { Item, Source, Stream } from '../model'
import { Header, Line, parseLine } from './format'

const PAGE = 500

/**
 * Reads items and streams from a file. Its functions throw an Error that names the invalid line, or the file when it is incomplete.
 * @throws Error for a first line that is no header.
 */
export async function fileSource(file: TextFile): Promise<Source> {
  const header = await readHeader(file)
  /** The number of rows of each stream, and the position of the first. */
  const streams = new Map<Stream, { rows: number; start: number }>()
  return {
    title: file.name,
    // The project in the file, because a later export may have another name.
    id: `file ${header.source}`,
    edition: header.exported_at,
    remarks: () => [],
    evaluate: null,
    count: async (stream) => streams.get(stream)?.rows ?? 0,

    async readItems() {
      const items: Item[] = []
      let number = 0
      let at = 0
      let isComplete = false
      const lineOf = new Map<string, number>()
      for await (const { text, next } of linesOf(file)) {
        const place = `Line ${++number} of ${file.name}`
        const start = at
        at = next
        if (number === 1) continue
        if (isComplete) throw new Error(`${place} is behind the line that ends the export.`)
        const line = parseLine(Line, text, place)
        if ('row' in line) {
          const stream = streams.get(line.kind) ?? { rows: 0, start }
          streams.set(line.kind, { ...stream, rows: stream.rows + 1 })
        } else if (line.kind === 'end') isComplete = line.lines === number
        else {
          const name = `${line.kind} ${line.key}`
          const before = lineOf.get(name)
          if (before) throw new Error(`${place} repeats line ${before}: ${name}.`)
          lineOf.set(name, number)
          items.push({ ...line, changes: [], problem: line.problem ?? null } as Item)
        }
      }
      if (!isComplete) throw new Error(`${file.name} is not complete: the last line does not fit the others.`)
      return items
    },

    async readPage(stream, cursor) {
      const start = cursor === null ? streams.get(stream)?.start : Number(cursor)
      if (start === undefined) return { rows: [], next: null }
      const rows: JsonObject[] = []
      for await (const { text, next } of linesOf(file, start)) {
        const line = parseLine(Line, text, `${file.name}, after byte ${start}`)
        if (!('row' in line) || line.kind !== stream) break
        rows.push(line.row)
        if (rows.length === PAGE) return { rows, next: String(next) }
      }
      return { rows, next: null }
    },
  }
}

async function readHeader(file: TextFile) {
  for await (const { text } of linesOf(file)) return parseLine(Header, text, `Line 1 of ${file.name}`)
  throw new Error(`${file.name} is empty.`)
}

// Reads the lines of a file, with the position of each in bytes.

/** Maximum bytes of a line. A static cohort is one line, with all its members. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

export interface TextFile {
  name: string
  /** Returns the bytes from a position on. */
  read(start: number): AsyncIterable<Uint8Array>
}

interface TextLine {
  text: string
  /** The position of the next line, in bytes. */
  next: number
}

/** @throws for a line that is too long, and for a last one that does not end. */
async function* linesOf({ name, read }: TextFile, start = 0): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8')
  let text = ''
  let length = 0
  let at = start
  for await (const chunk of read(start)) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      text += decoder.decode(chunk.subarray(from, end))
      at += length + end - from + 1
      yield { text, next: at }
      text = ''
      length = 0
      from = end + 1
    }
    text += decoder.decode(chunk.subarray(from), { stream: true })
    length += chunk.byteLength - from
    if (length > MAX_LINE_BYTES) throw new Error(`${name} has a line of more than ${MAX_LINE_BYTES} bytes.`)
  }
  if (length > 0) throw new Error(`${name} ends within a line: it is not complete.`)
}
