import { runCommand, say, UsageError } from './command'

const USAGE = `npm run import -- --from posthog --url URL --project ID [--with persons,events] [--apply] [--overwrite]
npm run import -- --from unleash --url URL --environment NAME [--project ID] [--apply] [--overwrite]
npm run import -- --from file FILE [--with persons,events] [--apply] [--overwrite]

Moves a project here: flags, cohorts, group types, variables, saved queries, definitions. Says what it would do, and does it with --apply.

  --from SOURCE       posthog, halyard (another one), unleash, or file (of npm run export)
  --url URL           of the source
  --project ID        of the source
  --environment NAME  of Unleash; its project is "default" unless --project names another
  --to-url URL        of the Halyard to write to; default: the local one
  --to-project ID     of it
  --with LIST         persons (with their groups), events, or both
  --apply             writes
  --overwrite         writes over what was edited here
  --no-check          does not compare the flags of both sides
  --people N          compares them for N people; default: 1,000
  --state FILE        what the import remembers; default: a file in .dev

The key of the source is that of IMPORT_KEY, or of a prompt. The key of the target is a personal API key: that of HALYARD_KEY, of the credentials
in .dev of that service, or of a prompt.`

const CONFIG = {
  options: {
    from: { type: 'string' },
    url: { type: 'string' },
    project: { type: 'string' },
    'to-url': { type: 'string' },
    'to-project': { type: 'string' },
    environment: { type: 'string' },
    with: { type: 'string' },
    apply: { type: 'boolean', default: false },
    overwrite: { type: 'boolean', default: false },
    'no-check': { type: 'boolean', default: false },
    people: { type: 'string' },
    state: { type: 'string' },
  },
  allowPositionals: true,
} as const

await runCommand(USAGE, CONFIG, async ({ values, positionals }) => {
  if (values.people !== undefined && values['no-check'])
    throw new UsageError('--people does not go with --no-check.')
  if (values.people !== undefined && !/^[1-9]\d{0,5}$/.test(values.people))
    throw new UsageError(`--people must be a number from 1 to 999999, got "${values.people}".`)
  const { openSource, streamsOf, targetService } = await import('./import/options')
  const { printable } = await import('../import/printable')
  const sayPrintable = (text: string) => say(printable(text))
  const streams = streamsOf('--with', values.with)
  const source = await openSource(values, positionals, sayPrintable)
  const target = await targetService(values, sayPrintable)
  const { projectPath, serviceClient, sourceId } = await import('../import/posthog/source')
  const { runImport } = await import('../import/run')
  const { fingerprintOf } = await import('../import/fingerprint')
  const { printer } = await import('./import/print')
  const { fileMemory } = await import('./import/state')
  if (source.id === sourceId(target)) throw new UsageError('The source and the target are the same project.')
  const client = serviceClient(target)
  const project = projectPath(target.project)
  const file = values.state ?? `.dev/import-${fingerprintOf([source.id, target.url, target.project])}.json`
  const print = printer(sayPrintable)
  const isWhole = await runImport({
    source,
    client,
    project,
    memory: fileMemory(file, source.id, `${client.url} ${project}`),
    streams,
    apply: values.apply,
    overwrite: values.overwrite,
    check: !values['no-check'],
    ...(values.people === undefined ? {} : { people: Number(values.people) }),
    report(event) {
      if (event.kind === 'remarks')
        sayPrintable(`From ${source.title}\nto   ${target.url}, project ${target.project}:\n\n`)
      print(event)
    },
  })
  if (!values.apply) say('\nNothing was changed: this was a dry run. --apply writes.\n')
  if (!isWhole) process.exitCode = 1
})
