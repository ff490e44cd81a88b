import { once } from 'node:events'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import type { FileLine } from '../import/file/format'
import { runCommand, say, UsageError } from './command'
import { onExit } from './exit-cleanup'

const USAGE = `npm run export -- FILE [--without persons,events] [--secrets]

Writes a project as JSON lines, which npm run import -- --from file reads.

  --url URL        of the service; default: the local one
  --project ID     of it
  --without LIST   persons (with their groups), events, or both
  --secrets        with the payloads that are stored encrypted, readable

The key is that of HALYARD_KEY, of the credentials in .dev of that service, or of a prompt: a personal API key.`

const CONFIG = {
  options: {
    url: { type: 'string' },
    project: { type: 'string' },
    without: { type: 'string' },
    secrets: { type: 'boolean', default: false },
  },
  allowPositionals: true,
} as const

await runCommand(USAGE, CONFIG, async ({ values, positionals }) => {
  const [file, ...others] = positionals
  if (!file || others.length > 0) throw new UsageError('Name one file: npm run export -- FILE')
  const { streamsOf, targetService } = await import('./import/options')
  const { KIND_TITLES, STREAM_TITLES, STREAMS } = await import('../import/model')
  const without = streamsOf('--without', values.without)
  const service = await targetService(values, say, '')
  const { posthogSource } = await import('../import/posthog/source')
  const { createProgress } = await import('./import/progress')
  const { exportLines } = await import('../import/file/export')
  const progress = createProgress('Reading')
  const lines = exportLines({
    source: posthogSource(service, { isExport: true }),
    streams: STREAMS.filter((stream) => !without.includes(stream)),
    withSecrets: values.secrets,
    now: new Date(),
    progress: (_, rows) => process.stdout.isTTY && progress.show(rows, null),
  })
  const counts = await writeLines(file, lines)
  progress.end()
  for (const [kind, title] of Object.entries({ ...KIND_TITLES, ...STREAM_TITLES }))
    say(`${title}: ${(counts.get(kind) ?? 0).toLocaleString('en-US')}\n`)
  say(
    `\nThe project is in ${file}.` +
      (STREAMS.every((stream) => without.includes(stream)) ? '' : ' It contains personal data.') +
      (values.secrets ? ' It contains payloads that were encrypted.' : '') +
      '\n',
  )
})

/**
 * @returns the number of lines by kind
 * @throws for a file that exists
 */
async function writeLines(file: string, lines: AsyncIterable<FileLine>): Promise<Map<string, number>> {
  if (existsSync(file)) throw new Error(`${file} exists: name another file.`)
  if (!existsSync(dirname(file))) throw new Error(`The folder ${dirname(file)} does not exist.`)
  const part = `${file}.part`
  const remove = onExit(() => rmSync(part, { force: true }))
  const output = createWriteStream(part, { mode: 0o600 })
  await once(output, 'open')
  const counts = new Map<string, number>()
  try {
    for await (const line of lines) {
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
