import { runCommand, say, UsageError } from './command'

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
  const { writeExport } = await import('./import/write-export')
  const progress = createProgress('Reading')
  const counts = await writeExport(file, {
    source: posthogSource(service, { isExport: true }),
    streams: STREAMS.filter((stream) => !without.includes(stream)),
    withSecrets: values.secrets,
    now: new Date(),
    progress: (_, rows) => process.stdout.isTTY && progress.show(rows, null),
  })
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
