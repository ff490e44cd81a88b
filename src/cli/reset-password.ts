import { runCommand, say, UsageError } from './command'

const USAGE = `npm run reset-password -- --email ADDRESS [--remote] [--env NAME] [--url URL]

Makes a link that sets a new password of a user. It works once, for an hour, and signs the user out everywhere.
Its page asks whether to keep the keys and identities of the account.

  --email ADDRESS   of the user
  --remote          of the deployed service, in place of the local one, which has to be stopped
  --env NAME        that of [env.NAME] of wrangler.toml
  --url URL         of the service; default: as in its credentials`

const CONFIG = {
  options: {
    email: { type: 'string' },
    remote: { type: 'boolean', default: false },
    env: { type: 'string' },
    url: { type: 'string' },
  },
} as const

await runCommand(USAGE, CONFIG, async ({ values }) => {
  const { email, remote, env } = values
  if (!email) throw new UsageError('Name the user: npm run reset-password -- --email ADDRESS')
  if (env && !remote) throw new UsageError('--env is for a deployed service: add --remote.')
  const { LOCAL_CREDENTIALS, remoteCredentials } = await import('./local/credentials')
  const { requireHalyardUrl } = await import('./import/options')
  const file = remote ? remoteCredentials(env ?? null) : LOCAL_CREDENTIALS
  const url = requireHalyardUrl('--url', values.url, file)
  const { DATABASE } = await import('./deploy/bindings')
  const { readDesiredState } = await import('./deploy/desired-state')
  const { withDatabases } = await import('./backup/open-databases')
  const { makeResetLink } = await import('./local/seed')
  await withDatabases(
    readDesiredState(env ?? null),
    { remote, command: 'npm run reset-password' },
    async ({ targets }) => {
      const { database } = targets.find(({ binding }) => binding === DATABASE)!
      say(`${await makeResetLink(database!.execute, email, url)}\n`)
    },
  )
})
