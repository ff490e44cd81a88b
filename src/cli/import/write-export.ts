// Writes a project as a file.
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { once } from 'node:events'
import type { JsonObject } from '../../json'
import { onExit } from '../exit-cleanup'
import type { Item, Source, Stream } from '../../import/model'
import { type FileLine, FORMAT, itemLine } from '../../import/file/format'

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

/** @returns the number of lines by kind. @throws for a file that exists. */
export async function writeExport(file: string, options: ExportOptions): Promise<Map<string, number>> {
  if (existsSync(file)) throw new Error(`${file} exists: name another file.`)
  if (!existsSync(dirname(file))) throw new Error(`The folder ${dirname(file)} does not exist.`)
  const { source, streams, withSecrets, now, progress } = options
  const items = await source.readItems()
  const part = `${file}.part`
  const remove = onExit(() => rmSync(part, { force: true }))
  const output = createWriteStream(part, { mode: 0o600 })
  await once(output, 'open')
  const counts = new Map<string, number>()
  let lines = 0
  const write = async (line: FileLine) => {
    lines++
    counts.set(line.kind, (counts.get(line.kind) ?? 0) + 1)
    if (!output.write(`${JSON.stringify(line)}\n`)) await once(output, 'drain')
  }
  const writeItems = async (of: readonly Item[]) => {
    for (const item of of) await write(itemLine(withSecrets ? item : withoutSecrets(item)))
  }
  try {
    await write({
      kind: 'halyard_project',
      format: FORMAT,
      exported_at: now.toISOString(),
      source: source.title,
    })
    await writeItems(items.filter(({ kind }) => FIRST.has(kind)))
    for (const stream of streams) {
      let rows = 0
      for (let cursor: string | null = null; ;) {
        const page = await source.readPage(stream, cursor)
        for (const row of page?.rows ?? []) await write({ kind: stream, row })
        progress(stream, (rows += page?.rows.length ?? 0))
        cursor = page?.next ?? null
        if (cursor === null) break
      }
    }
    await writeItems(items.filter(({ kind }) => !FIRST.has(kind)))
    await write({ kind: 'end', lines: lines + 1 })
    output.end()
    await finished(output)
    renameSync(part, file)
  } finally {
    output.destroy()
    remove()
  }
  return counts
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
