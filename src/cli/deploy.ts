// `npm run deploy [-- --email you@example.com]`: from an empty account to a service that answers, in one go. What is there is kept.
import { parseArgs } from 'node:util'
import { openAccount } from './deploy/account'
import { report } from './deploy/report'
import { planDeployment } from './deploy/plan'
import { readPresent } from './deploy/present'
import { Refusal } from './deploy/refusal'
import { runSteps } from './deploy/run'
import { settingProblems } from './deploy/settings'
import { build } from './deploy/upload'
import { readWanted } from './deploy/wanted'
import { describe } from './deploy/words'
import { runCommand } from './command'

const say = (text: string) => process.stdout.write(text)

runCommand(async () => {
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
  const wanted = readWanted(values.env ?? null)
  if (values['dry-run']) {
    refuse(settingProblems(wanted.vars))
    say('Build the Worker, and see that it is complete …')
    await build(wanted.environment)
    say(' done\nNothing was deployed: this was a dry run. `--plan` looks at the account, too.\n')
    return
  }

  const account = await openAccount(wanted.accountId, process.env)
  const present = await readPresent(account, wanted)
  const plan = planDeployment(wanted, present, {
    email: values.email ?? null,
    newDatabase: values['new-database'],
    newSecrets: values['new-secrets'],
    env: process.env,
  })
  if ('refusals' in plan) return refuse(plan.refusals)
  const steps = plan.steps.filter((step) => values.wait || step.do !== 'awaitReady')
  if (values.plan) {
    say(
      `On the account ${account.id}:\n${steps.map((step) => `  ${describe(step)}\n`).join('')}Nothing was changed.\n`,
    )
    return
  }
  say(`On the account ${account.id}:\n`)
  say(report(await runSteps(steps, { account, wanted, present, env: process.env, say })))
})

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal(problems.join('\n'))
}
