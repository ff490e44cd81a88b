import { runCommand, say, UsageError } from './command'

const USAGE = `npm run backup -- FOLDER [--remote] [--env NAME]

Writes every table of every database into a new folder, which npm run restore reads.

  --remote     the databases of the deployed service, in place of the local ones
  --env NAME   those of [env.NAME] of wrangler.toml`

const CONFIG = {
  options: { remote: { type: 'boolean', default: false }, env: { type: 'string' } },
  allowPositionals: true,
} as const

await runCommand(USAGE, CONFIG, async ({ values, positionals }) => {
  const [folder, ...others] = positionals
  if (!folder || others.length > 0)
    throw new UsageError('Name one folder for the backup: npm run backup -- FOLDER')
  if (values.env && !values.remote) throw new UsageError('--env is for a deployed service: add --remote.')
  const { readDesiredState } = await import('./deploy/desired-state')
  const { withDatabases } = await import('./backup/open-databases')
  const { writeBackup } = await import('./backup/write-backup')
  const desired = readDesiredState(values.env ?? null)
  await withDatabases(desired, { remote: values.remote, command: 'npm run backup' }, ({ targets }) =>
    writeBackup(
      targets.map(({ database }) => database!),
      folder,
      { now: () => new Date(), say },
    ),
  )
  say(
    `The backup is in ${folder}. It contains personal data, password hashes, project tokens and open invites, but not the Worker's secrets. ` +
      'Store it encrypted.\n',
  )
})
