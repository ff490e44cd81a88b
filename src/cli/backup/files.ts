// The files of a backup: JSON lines, compressed, in parts of a bounded size.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip, createGzip } from 'node:zlib'
import type { BackupPart } from '../../storage/backup/format'

/** The most characters of the lines of a part. A restore that was interrupted repeats at most one part. */
const MAX_PART_LENGTH = 64_000_000

/**
 * Writes lines to files `<name>.0001.jsonl.gz`, …, and returns their names. Only their owner may read them.
 * @param onPart called with each complete file
 */
export async function writeParts(
  folder: string,
  name: string,
  pages: AsyncIterable<readonly string[]>,
  onPart: (part: BackupPart) => void,
): Promise<BackupPart[]> {
  const parts: BackupPart[] = []
  const finish = async (part: ReturnType<typeof createPart>) => {
    const finished = await part.close()
    parts.push(finished)
    onPart(finished)
  }
  let open: ReturnType<typeof createPart> | null = null
  for await (const lines of pages) {
    open ??= createPart(folder, `${name}.${String(parts.length + 1).padStart(4, '0')}.jsonl.gz`)
    if ((await open.write(lines)) < MAX_PART_LENGTH) continue
    await finish(open)
    open = null
  }
  if (open) await finish(open)
  return parts
}

function createPart(folder: string, file: string) {
  const path = join(folder, file)
  const gzip = createGzip()
  const out = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  // The errors are handled before the await, because an unhandled rejection would end the process.
  const failed = Promise.race([once(gzip, 'error'), once(out, 'error')]).then(([error]) =>
    Promise.reject(error),
  )
  failed.catch(() => {})
  const finished = once(out, 'finish')
  finished.catch(() => {})
  gzip.pipe(out)
  let rows = 0
  let length = 0
  return {
    /** Returns the characters of the part so far. */
    async write(lines: readonly string[]): Promise<number> {
      for (const line of lines) {
        rows += 1
        length += line.length
        if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, 'drain'), failed])
      }
      return length
    },
    async close(): Promise<BackupPart> {
      gzip.end()
      await Promise.race([finished, failed])
      return { file, rows, bytes: statSync(path).size, sha256: await hashOf(path) }
    },
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

export const describePart = ({ file, rows }: BackupPart): string => `${file}: ${rows} rows\n`

/** Returns the problem of a part, or null. */
export async function partProblem(
  folder: string,
  { file, bytes, sha256 }: BackupPart,
): Promise<string | null> {
  const path = join(folder, file)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) return `${file} is missing`
  if (size !== bytes) return `${file} has ${size} bytes, the manifest has ${bytes}`
  return (await hashOf(path)) === sha256 ? null : `${file} is not what was written: its SHA-256 differs`
}

export async function* readLines(folder: string, { file }: Pick<BackupPart, 'file'>): AsyncGenerator<string> {
  const text = createReadStream(join(folder, file)).pipe(createGunzip()).setEncoding('utf8')
  // The lines are not split by node:readline, which also splits at U+2028.
  let pieces: string[] = []
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    pieces.push(first)
    for (const other of others) {
      yield pieces.join('')
      pieces = [other]
    }
  }
}
