import { parseArgs } from 'node:util'
import type { Keys } from './backup/check-keys'
import type { OpenDatabases } from './backup/open-databases'
import { PreflightError, runCommand, say, UsageError } from './command'
import { onExit } from './exit-cleanup'
import { isKeyring, setLocalSecrets } from './secrets'
import { acquireLock } from './serve/lock'

const USAGE = `npm run restore -- FOLDER [--remote] [--env NAME] [--no-key-check]

Fills empty databases from a folder that npm run backup wrote.

  --remote         the databases of the deployed service, in place of the local ones
  --env NAME       those of [env.NAME] of wrangler.toml
  --no-key-check   restores values whose keys are lost`

runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    options: {
      remote: { type: 'boolean', default: false },
      env: { type: 'string' },
      'key-check': { type: 'boolean', default: true },
    },
    allowPositionals: true,
    allowNegative: true,
  })
  const [folder, ...others] = positionals
  if (!folder || others.length > 0)
    throw new UsageError('Name the folder of one backup: npm run restore -- FOLDER')
  if (values.env && !values.remote) throw new UsageError('--env is for a deployed service: add --remote.')
  const given = givenKeys()
  const { readDesiredState } = await import('./deploy/desired-state')
  const { openRemote, withLocal } = await import('./backup/open-databases')
  const { mergeKeyrings } = await import('./backup/check-keys')
  const { restoreBackup } = await import('./backup/restore-backup')
  const desired = readDesiredState(values.env ?? null)
  const restore = async ({ targets, create }: OpenDatabases, keys: Keys, onChecked = () => {}) => {
    const checked = values['key-check'] ? keys : null
    const warnings = await restoreBackup(targets, { folder, keys: checked, onChecked, say, create })
    for (const warning of warnings) say(`Warning: ${warning}\n`)
  }
  if (values.remote) {
    await restore(await openRemote(desired, { isNew: true }), given)
    say(
      'Restored. Deploy onto the databases: npm run deploy, with --new-database where the Worker is bound to others. A new Worker needs the keys of ' +
        'the service that was backed up, as PAYLOAD_KEYS and ACCOUNT_KEYS in the environment; one that exists keeps its own.\n',
    )
    return
  }
  onExit(acquireLock('npm run restore').release)
  await withLocal(desired, async (open) => {
    const keys = {
      PAYLOAD_KEYS: mergeKeyrings(String(open.vars.PAYLOAD_KEYS ?? ''), given.PAYLOAD_KEYS),
      ACCOUNT_KEYS: mergeKeyrings(String(open.vars.ACCOUNT_KEYS ?? ''), given.ACCOUNT_KEYS),
    }
    await restore(open, keys, () => setLocalSecrets(keys))
  })
  say('Restored. npm start serves it.\n')
})

/** Of the service that was backed up. */
function givenKeys(): Keys {
  const { PAYLOAD_KEYS = '', ACCOUNT_KEYS = '' } = process.env
  for (const [name, value] of Object.entries({ PAYLOAD_KEYS, ACCOUNT_KEYS })) {
    if (value && !isKeyring(value)) {
      throw new PreflightError(
        `${name} in the environment has to be \`id:base64\` with 32 bytes, or several of these with commas between them.`,
      )
    }
  }
  return { PAYLOAD_KEYS, ACCOUNT_KEYS }
}
