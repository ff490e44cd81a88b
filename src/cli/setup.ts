// `npm run setup`: makes the local database ready for use. With `--remote` the deployed one, where `--after-restore` belongs behind a restore,
// and `--renew` makes a new password and key for the first user.
import { parseArgs } from 'node:util'
import { runCommand, UsageError } from './command'
import { openAccount } from './deploy/account'
import { planSetUp } from './deploy/plan'
import { readPresent } from './deploy/present'
import { Refusal } from './deploy/refusal'
import { report } from './deploy/report'
import { runSteps } from './deploy/run'
import { readWanted } from './deploy/wanted'
import { setUp } from './set-up'

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
  const { credentials, isNew, file } = await setUp({ email: values.email, baseUrl: values.url })
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
  const wanted = readWanted(options.env ?? null)
  const account = await openAccount(wanted.accountId, process.env)
  const present = await readPresent(account, wanted)
  const plan = planSetUp(wanted, present, {
    email: options.email ?? null,
    afterRestore: options['after-restore'],
    renew: options.renew,
  })
  if ('refusals' in plan) throw new Refusal(plan.refusals.join('\n'))
  say(`On the account ${account.id}:\n`)
  say(
    report(await runSteps(plan.steps, { account, wanted, present, env: process.env, url: options.url, say })),
  )
}
