// Plans and runs a deployment, or the setup of deployed databases. Later steps use what a step creates.
import { requireNone, say } from '../command'
import { readCredentials, remoteCredentials, setAside, writeCredentials } from '../local/credentials'
import { curlOf } from '../local/greeting'
import { openAccount } from './account'
import type { ActualState } from './account-state'
import { type Outcome, type RunOptions, runStep, type StepContext } from './actions'
import { readActualState } from './actual-state'
import { type DesiredState, readDesiredState } from './desired-state'
import { type Plan, planDeployment, planSetup } from './plan'
import { chooseDatabases, chooseNamespace } from './plan-databases'
import { describe, type DeployStep } from './step'
import { build } from './upload'

export interface DeployOptions {
  email?: string
  env?: string
  plan: boolean
  'dry-run': boolean
  'new-database': boolean
  'new-secrets': boolean
  wait: boolean
}

export async function deploy(options: DeployOptions): Promise<void> {
  const desired = readDesiredState(options.env ?? null)
  if (options['dry-run']) {
    say(`${describe({ do: 'build' })} … `)
    await build(desired.environment)
    return say('done\nNothing was deployed: this was a dry run. `--plan` looks at the account, too.\n')
  }
  const planOptions = {
    email: options.email ?? null,
    newDatabase: options['new-database'],
    newSecrets: options['new-secrets'],
    env: process.env,
  }
  await planAndRun(desired, (actual) => planDeployment(desired, actual, planOptions), options)
}

export interface RemoteSetupOptions {
  email?: string
  url?: string
  env?: string
  'after-restore': boolean
  renew: boolean
}

export async function setUpRemotely(options: RemoteSetupOptions): Promise<void> {
  const desired = readDesiredState(options.env ?? null)
  const planOptions = {
    email: options.email ?? null,
    afterRestore: options['after-restore'],
    renew: options.renew,
  }
  await planAndRun(desired, (actual) => planSetup(desired, actual, planOptions), options)
}

/** Runs the steps of a plan, or only shows them. */
async function planAndRun(
  desired: DesiredState,
  planFor: (actual: ActualState) => Plan,
  { url, plan: isPlanOnly, wait = true }: { url?: string; plan?: boolean; wait?: boolean },
): Promise<void> {
  const account = await openAccount(desired.accountId, process.env)
  const actual = await readActualState(account, desired)
  const plan = planFor(actual)
  if ('problems' in plan) return requireNone(plan.problems)
  const steps = plan.steps.filter((step) => wait || step.do !== 'awaitReady')
  say(`On the account ${account.id}:\n`)
  if (isPlanOnly) {
    return say(`${steps.map((step) => `  ${describe(step)}\n`).join('')}Nothing was changed.\n`)
  }
  say(report(await runSteps(steps, { account, desired, actual, env: process.env, url })))
}

/** @throws the error of the first step that fails; the same command then continues from there */
async function runSteps(steps: readonly DeployStep[], options: RunOptions): Promise<Outcome> {
  const { desired, actual } = options
  const file = remoteCredentials(desired.environment)
  const context: StepContext = {
    ...options,
    ids: {
      databases: Object.fromEntries(
        chooseDatabases(desired, actual).flatMap(({ binding, choice }) =>
          choice.id ? [[binding, choice.id]] : [],
        ),
      ),
      namespaceId: chooseNamespace(desired, actual).id,
    },
    outcome: { url: options.url ?? addressOf(desired, actual), credentials: null, file, warnings: [] },
  }
  for (const step of steps) {
    if (step.do === 'keep') {
      say(`${describe(step)}\n`)
      continue
    }
    say(`${describe(step)} … `)
    if (step.do === 'seed') setAside(file)
    const result = await runStep(step, context).catch((error: unknown) => {
      say('failed\n')
      throw error
    })
    say(`${result || 'done'}\n`)
    // The credentials are written at once, because they cannot be read a second time.
    if (context.outcome.credentials) writeCredentials(file, context.outcome.credentials)
  }
  const known = readCredentials(file)
  if (known) writeCredentials(file, { ...known, base_url: context.outcome.url ?? known.base_url })
  // An earlier run may have created the first user without getting the answer.
  else {
    const environment = desired.environment ? ` --env ${desired.environment}` : ''
    context.outcome.warnings.push(
      `${file} has no credentials of this service. If they are lost, make new ones: npm run setup -- --remote${environment} --renew`,
    )
  }
  return context.outcome
}

/** Returns the current or future address of the Worker. */
const addressOf = ({ urls, onWorkersDev, worker }: DesiredState, { subdomain }: ActualState): string | null =>
  urls[0] ?? (onWorkersDev && subdomain ? `https://${worker}.${subdomain}.workers.dev` : null)

function report({ url, credentials, file, warnings }: Outcome): string {
  const parts = [
    url
      ? `Halyard is at ${url}`
      : 'The Worker has no address: wrangler.toml gives it neither a route nor one under workers.dev.',
  ]
  if (credentials) {
    parts.push(
      `Keep these. They are shown once, and stored in ${file}, which only you can read:\n${JSON.stringify(credentials, null, 2)}`,
      `Paste this to create a flag:\n\n${curlOf(credentials)}`,
    )
  }
  parts.push(...warnings.map((warning) => `Warning: ${warning}`))
  if (url) parts.push(`Check that it works:\n\n  npm run verify -- --url ${url}`)
  return `\n${parts.join('\n\n')}\n`
}
