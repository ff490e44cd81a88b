import { requireNone, runCommand, say, UsageError } from './command'
import { onExit } from './exit-cleanup'
import { acquireLock } from './serve/lock'

const USAGE = `npm run setup [-- --email ADDRESS] [--url URL] [--renew]
npm run setup -- --remote [--env NAME] [--email ADDRESS] [--after-restore] [--renew]

Migrates the local databases, and creates the first user in an empty one.

  --email ADDRESS   of the first user
  --url URL         of the service, for the credentials
  --remote          the databases of the deployed service, in place of the local ones
  --env NAME        those of [env.NAME] of wrangler.toml
  --after-restore   ends all sessions and publishes all flags again
  --renew           makes a new password and key for the first user`

const CONFIG = {
  options: {
    remote: { type: 'boolean', default: false },
    email: { type: 'string' },
    url: { type: 'string' },
    env: { type: 'string' },
    'after-restore': { type: 'boolean', default: false },
    renew: { type: 'boolean', default: false },
  },
} as const

await runCommand(USAGE, CONFIG, async ({ values }) => {
  const { requireUrl } = await import('./import/options')
  if (values.url !== undefined) values.url = requireUrl('--url', values.url)
  if (values.remote) {
    const { setUpRemotely } = await import('./deploy/run')
    return setUpRemotely(values)
  }
  const deployed = (['env', 'after-restore'] as const).find((name) => values[name])
  if (deployed) {
    throw new UsageError(
      `--${deployed} is for a deployed service: add --remote. The local one needs none of it.`,
    )
  }
  const { setUpLocally } = await import('./local/setup')
  const { emailProblem } = await import('./email-problem')
  if (values.email !== undefined) requireNone(emailProblem(values.email))
  onExit(acquireLock('npm run setup').release)
  const { credentials, isNew, file } = await setUpLocally({
    email: values.email,
    baseUrl: values.url,
    renew: values.renew,
  })
  if (isNew) {
    say(`Set up. Keep these; they are also in ${file}:\n${JSON.stringify(credentials, null, 2)}\n`)
  } else {
    const which = credentials
      ? `Credentials: ${file}`
      : `${file} has no credentials for the accounts: add --renew`
    say(`Migrations are applied; there was nothing else to set up. ${which}\n`)
  }
})
