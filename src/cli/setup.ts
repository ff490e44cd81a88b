// `npm run setup`: prepares the local databases. With `--remote` the deployed ones, where `--after-restore` follows a restore, and `--renew` makes
// a new password and key for the first user.
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from './command'
import { openAccount } from './deploy/account'
import { planSetup } from './deploy/plan'
import { readActualState } from './deploy/actual-state'
import { PreflightError } from './deploy/preflight-error'
import { report } from './deploy/report'
import { onExit } from './exit-cleanup'
import { acquireLock } from './serve/lock'

const say = (text: string) => process.stdout.write(text)

runCommand(async () => {
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
  if ('problems' in plan) throw new PreflightError(plan.problems.join('\n'))
  say(`On the account ${account.id}:\n`)
  say(
    report(await runSteps(plan.steps, { account, desired, actual, env: process.env, url: options.url, say })),
  )
}
