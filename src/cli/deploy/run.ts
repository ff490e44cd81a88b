// Runs steps one after the other. What a step creates, later steps use.
import { readCredentials, remoteCredentials, writeCredentials } from '../credentials'
import type { ActualState } from './account-state'
import { runStep } from './actions'
import { chooseNamespace } from './choice'
import type { DesiredState } from './desired-state'
import { chooseDatabases } from './plan-databases'
import { describe, type Step } from './step'
import type { Outcome, RunOptions, StepContext } from './step-context'

/** Runs the steps. Throws what the first one throws that fails: the same command again continues from there. */
export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<Outcome> {
  const { desired, actual, say } = options
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
    const result = await runStep(step, context).catch((error: unknown) => {
      say('failed\n')
      throw error
    })
    say(`${result || 'done'}\n`)
    // At once: they cannot be read a second time.
    if (context.outcome.credentials) writeCredentials(file, context.outcome.credentials)
  }
  const known = readCredentials(file)
  if (known) writeCredentials(file, { ...known, base_url: context.outcome.url ?? known.base_url })
  return context.outcome
}

/** Where a Worker answers, or will. */
const addressOf = ({ urls, onWorkersDev, worker }: DesiredState, { subdomain }: ActualState): string | null =>
  urls[0] ?? (onWorkersDev && subdomain ? `https://${worker}.${subdomain}.workers.dev` : null)
