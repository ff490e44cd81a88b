import type { Keys } from './backup/check-keys'
import type { RestoreOptions } from './backup/restore-backup'
import { requireNone, runCommand, say, UsageError } from './command'
import { keyringProblems, setLocalSecrets } from './deploy/secrets'

const USAGE = `npm run restore -- FOLDER [--remote] [--env NAME] [--no-key-check]
npm run restore -- --from-bucket NAME [--remote] [--env NAME] [--no-key-check]

Fills empty databases from a folder that npm run backup wrote, or from a scheduled backup.

  --from-bucket NAME   copies a scheduled backup from R2 into backups/ first: its name, or latest
  --remote         the databases of the deployed service, in place of the local ones
  --env NAME       those of [env.NAME] of wrangler.toml
  --no-key-check   restores values whose keys are lost`

const CONFIG = {
  options: {
    remote: { type: 'boolean', default: false },
    env: { type: 'string' },
    'from-bucket': { type: 'string' },
    'key-check': { type: 'boolean', default: true },
  },
  allowPositionals: true,
  allowNegative: true,
} as const

await runCommand(USAGE, CONFIG, async ({ values, positionals }) => {
  const [given, ...others] = positionals
  const wanted = values['from-bucket']
  if (others.length > 0 || (given === undefined) === (wanted === undefined))
    throw new UsageError(
      'Name the folder of one backup, or a scheduled one: npm run restore -- FOLDER, or --from-bucket latest',
    )
  if (values.env && !values.remote) throw new UsageError('--env is for a deployed service: add --remote.')
  const keyrings = givenKeys()
  const { readDesiredState } = await import('./deploy/desired-state')
  const { withDatabases } = await import('./backup/open-databases')
  const { mergeKeyrings } = await import('./backup/check-keys')
  const { restoreBackup } = await import('./backup/restore-backup')
  const { fetchBackup, withBucket } = await import('./backup/fetch-backup')
  const { remote } = values
  const desired = readDesiredState(values.env ?? null)
  await withDatabases(
    desired,
    { remote, isNew: true, command: 'npm run restore' },
    async ({ targets, vars, create }) => {
      const keys = {
        PAYLOAD_KEYS: mergeKeyrings(String(vars.PAYLOAD_KEYS ?? ''), keyrings.PAYLOAD_KEYS),
        ACCOUNT_KEYS: mergeKeyrings(String(vars.ACCOUNT_KEYS ?? ''), keyrings.ACCOUNT_KEYS),
      }
      const restore = (backup: Pick<RestoreOptions, 'folder' | 'fetchParts'>) =>
        restoreBackup(targets, {
          ...backup,
          keys: values['key-check'] ? keys : null,
          onChecked: () => remote || setLocalSecrets(keys),
          say,
          create,
        })
      const warnings =
        wanted === undefined
          ? await restore({ folder: given! })
          : await withBucket(desired, remote, async (bucket) =>
              restore(await fetchBackup(bucket, wanted, 'backups', say)),
            )
      for (const warning of warnings) say(`Warning: ${warning}\n`)
    },
  )
  say(
    remote
      ? 'Restored. Deploy onto the databases: npm run deploy, with --new-database where the Worker is bound to others. A new Worker needs the ' +
          'keys of the service that was backed up, as PAYLOAD_KEYS and ACCOUNT_KEYS in the environment; one that exists keeps its own.\n'
      : 'Restored. npm start serves it.\n',
  )
})

/** Returns the keys of the service that was backed up. */
function givenKeys(): Keys {
  const { PAYLOAD_KEYS = '', ACCOUNT_KEYS = '' } = process.env
  const given = Object.entries({ PAYLOAD_KEYS, ACCOUNT_KEYS }).filter(([, value]) => value)
  requireNone(keyringProblems(Object.fromEntries(given)))
  return { PAYLOAD_KEYS, ACCOUNT_KEYS }
}
