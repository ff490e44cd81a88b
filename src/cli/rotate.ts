import { type KeyringSecret, KEYRING_SECRETS } from '../storage/encrypted-columns'
import { runCommand, say, UsageError } from './command'

const USAGE = `npm run rotate -- [PAYLOAD_KEYS] [ACCOUNT_KEYS] [--remote] [--env NAME] [--end-backup-codes]

Replaces encryption keys: makes a new key, encrypts every value with it, checks that none is left, and retires the old keys. Without a name, it
replaces both. Run again after an interruption, it continues.

  --remote             of the deployed service, in place of the local one, which has to be stopped
  --env NAME           that of [env.NAME] of wrangler.toml
  --end-backup-codes   deletes all backup codes of second factors, which a new ACCOUNT_KEYS cannot check`

const CONFIG = {
  options: {
    remote: { type: 'boolean', default: false },
    env: { type: 'string' },
    'end-backup-codes': { type: 'boolean', default: false },
  },
  allowPositionals: true,
} as const

await runCommand(USAGE, CONFIG, async ({ values, positionals }) => {
  const { remote, env } = values
  const unknown = positionals.filter((name) => !isKeyring(name))
  if (unknown.length > 0)
    throw new UsageError(`${unknown.join(', ')}: name ${KEYRING_SECRETS.join(' or ')}, or nothing for both.`)
  if (env && !remote) throw new UsageError('--env is for a deployed service: add --remote.')
  const secrets = KEYRING_SECRETS.filter((name) => positionals.length === 0 || positionals.includes(name))
  const { readDesiredState } = await import('./deploy/desired-state')
  const desired = readDesiredState(env ?? null)
  const options = { secrets, endsBackupCodes: values['end-backup-codes'], say }
  if (remote) {
    const { openAccount } = await import('./deploy/account')
    const { rotateRemote } = await import('./rotate/rotate-remote')
    const account = await openAccount(desired.accountId, process.env)
    await rotateRemote(account, desired, { ...options, env: process.env })
  } else {
    const { withDatabases } = await import('./backup/open-databases')
    const { rotateLocal } = await import('./rotate/rotate-local')
    await withDatabases(desired, { remote, command: 'npm run rotate' }, ({ targets, vars }) =>
      rotateLocal(targets[0]!.database!, vars, options),
    )
  }
})

function isKeyring(name: string): name is KeyringSecret {
  return (KEYRING_SECRETS as readonly string[]).includes(name)
}
