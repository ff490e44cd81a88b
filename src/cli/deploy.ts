import { parseArgs } from 'node:util'
import { openAccount } from './deploy/account'
import { report } from './deploy/report'
import { planDeployment } from './deploy/plan'
import { readActualState } from './deploy/actual-state'
import { settingProblems } from './deploy/settings'
import { build } from './deploy/upload'
import { describe } from './deploy/step'
import { requireNone, runCommand, say } from './command'

const USAGE = `npm run deploy [-- --email ADDRESS] [--env NAME] [--plan | --dry-run] [--no-wait] [--new-database] [--new-secrets]

Creates on a Cloudflare account what is missing there, migrates the databases and deploys the Worker. It can be repeated.

  --email ADDRESS   of the first user, for an empty database
  --env NAME        deploys [env.NAME] of wrangler.toml
  --plan            shows the steps, and changes nothing
  --dry-run         builds the Worker, without an account
  --no-wait         does not wait until the service is ready
  --new-database    replaces databases that are gone or have another name
  --new-secrets     makes new keys for a database whose keys are lost`

runCommand(USAGE, async () => {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      env: { type: 'string' },
      plan: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
      'new-database': { type: 'boolean', default: false },
      'new-secrets': { type: 'boolean', default: false },
      wait: { type: 'boolean', default: true },
    },
    allowNegative: true,
  })
  // Wrangler takes seconds to load: what is wrong with the options is said before.
  const { readDesiredState } = await import('./deploy/desired-state')
  const { runSteps } = await import('./deploy/run')
  const desired = readDesiredState(values.env ?? null)
  if (values['dry-run']) {
    requireNone(settingProblems(desired.vars))
    say(`${describe({ do: 'build' })} … `)
    await build(desired.environment)
    say('done\nNothing was deployed: this was a dry run. `--plan` looks at the account, too.\n')
    return
  }

  const account = await openAccount(desired.accountId, process.env)
  const actual = await readActualState(account, desired)
  const plan = planDeployment(desired, actual, {
    email: values.email ?? null,
    newDatabase: values['new-database'],
    newSecrets: values['new-secrets'],
    env: process.env,
  })
  if ('problems' in plan) return requireNone(plan.problems)
  const steps = plan.steps.filter((step) => values.wait || step.do !== 'awaitReady')
  if (values.plan) {
    say(
      `On the account ${account.id}:\n${steps.map((step) => `  ${describe(step)}\n`).join('')}Nothing was changed.\n`,
    )
    return
  }
  say(`On the account ${account.id}:\n`)
  say(report(await runSteps(steps, { account, desired, actual, env: process.env, say })))
})
