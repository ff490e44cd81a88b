// Reads the lines of a file, with the position of each in bytes.

/** Maximum bytes of a line. A static cohort is one line, with all its members. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 10

export interface TextFile {
  name: string
  /** Returns the bytes from a position on. */
  read(start: number): AsyncIterable<Uint8Array>
}

export interface Line {
  text: string
  /** The position of the next line, in bytes. */
  next: number
}

/** @throws for a line that is too long, and for a last one that does not end. */
export async function* linesOf({ name, read }: TextFile, start = 0): AsyncGenerator<Line> {
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
