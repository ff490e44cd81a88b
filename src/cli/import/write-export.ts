// Writes a project as a file.
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import { once } from 'node:events'
import { onExit } from '../exit-cleanup'
import { type ExportOptions, exportLines } from '../../import/file/export'

/**
 * @returns the number of lines by kind
 * @throws for a file that exists
 */
export async function writeExport(file: string, options: ExportOptions): Promise<Map<string, number>> {
  if (existsSync(file)) throw new Error(`${file} exists: name another file.`)
  if (!existsSync(dirname(file))) throw new Error(`The folder ${dirname(file)} does not exist.`)
  const part = `${file}.part`
  const remove = onExit(() => rmSync(part, { force: true }))
  const output = createWriteStream(part, { mode: 0o600 })
  await once(output, 'open')
  const counts = new Map<string, number>()
  try {
    for await (const line of exportLines(options)) {
      counts.set(line.kind, (counts.get(line.kind) ?? 0) + 1)
      if (!output.write(`${JSON.stringify(line)}\n`)) await once(output, 'drain')
    }
    output.end()
    await finished(output)
    renameSync(part, file)
  } finally {
    output.destroy()
    remove()
  }
  return counts
}
