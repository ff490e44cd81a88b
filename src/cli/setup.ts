import { parseArgs } from 'node:util'
import { requireNone, runCommand, say, UsageError } from './command'
import { openAccount } from './deploy/account'
import { planSetup } from './deploy/plan'
import { readActualState } from './deploy/actual-state'
import { report } from './deploy/report'
import { onExit } from './exit-cleanup'
import { acquireLock } from './serve/lock'

const USAGE = `npm run setup [-- --email ADDRESS] [--url URL]
npm run setup -- --remote [--env NAME] [--email ADDRESS] [--after-restore] [--renew]

Migrates the local databases, and creates the first user in an empty one.

  --email ADDRESS   of the first user
  --url URL         of the service, for the credentials
  --remote          the databases of the deployed service, in place of the local ones
  --env NAME        those of [env.NAME] of wrangler.toml
  --after-restore   ends all sessions and publishes all flags again
  --renew           makes a new password and key for the first user`

runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      remote: { type: 'boolean', default: false },
      email: { type: 'string' },
      url: { type: 'string' },
      env: { type: 'string' },
      'after-restore': { type: 'boolean', default: false },
      renew: { type: 'boolean', default: false },
    },
  })
  if (values.remote) return remotely(values)
  const deployed = (['env', 'after-restore', 'renew'] as const).find((name) => values[name])
  if (deployed) {
    throw new UsageError(
      `--${deployed} is for a deployed service: add --remote. The local one needs none of it.`,
    )
  }
  // Wrangler takes seconds to load: what is wrong with the options is said before.
  const { setUpLocally } = await import('./local-setup')
  onExit(acquireLock('npm run setup').release)
  const { credentials, isNew, file } = await setUpLocally({ email: values.email, baseUrl: values.url })
  say(
    isNew
      ? `Set up. Keep these; they are also in ${file}:\n${JSON.stringify(credentials, null, 2)}\n`
      : `Migrations are applied; there was nothing else to set up. Credentials: ${file}\n`,
  )
})

interface RemoteOptions {
  email?: string
  url?: string
  env?: string
  'after-restore': boolean
  renew: boolean
}

async function remotely(options: RemoteOptions): Promise<void> {
  const { readDesiredState } = await import('./deploy/desired-state')
  const { runSteps } = await import('./deploy/run')
  const desired = readDesiredState(options.env ?? null)
  const account = await openAccount(desired.accountId, process.env)
  const actual = await readActualState(account, desired)
  const plan = planSetup(desired, actual, {
    email: options.email ?? null,
    afterRestore: options['after-restore'],
    renew: options.renew,
  })
  if ('problems' in plan) return requireNone(plan.problems)
  say(`On the account ${account.id}:\n`)
  say(
    report(await runSteps(plan.steps, { account, desired, actual, env: process.env, url: options.url, say })),
  )
}
