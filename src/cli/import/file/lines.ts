// Lines of a file, with the place of each in bytes.
import { createReadStream } from 'node:fs'

/** A static cohort is one line, with all its members. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

export interface Line {
  text: string
  /** Where the next line begins, in bytes. */
  next: number
}

/** @throws for a line that is too long, and for a last one that does not end. */
export async function* linesOf(file: string, start = 0): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let length = 0
  let at = start
  for await (const chunk of createReadStream(file, { start }) as AsyncIterable<Buffer>) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE, from); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      rest.push(chunk.subarray(from, end))
      const line = Buffer.concat(rest)
      at += line.byteLength + 1
      yield { text: line.toString('utf8'), next: at }
      rest = []
      length = 0
      from = end + 1
    }
    rest.push(chunk.subarray(from))
    length += chunk.byteLength - from
    if (length > MAX_LINE_BYTES) throw new Error(`${file} has a line of more than ${MAX_LINE_BYTES} bytes.`)
  }
  if (length > 0) throw new Error(`${file} ends within a line: it is not complete.`)
}
