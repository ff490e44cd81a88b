// Steps, done one after the other. What a step makes, those behind it use.
import { readCredentials, remoteCredentials, writeCredentials } from '../credentials'
import { doStep } from './actions'
import { chooseDatabase, chooseNamespace } from './choice'
import type { Step } from './plan'
import type { Present } from './account-state'
import type { Wanted } from './wanted'
import { describe } from './words'
import type { Outcome, Scene, Work } from './work'

/** Does the steps. Throws what the first one throws that fails: the same command again goes on from there. */
export async function runSteps(steps: readonly Step[], scene: Scene): Promise<Outcome> {
  const { wanted, present, say } = scene
  const file = remoteCredentials(wanted.environment)
  const work: Work = {
    ...scene,
    ids: {
      databaseId: chooseDatabase(wanted, present).id,
      namespaceId: chooseNamespace(wanted, present).id,
    },
    outcome: { url: scene.url ?? addressOf(wanted, present), credentials: null, file, warnings: [] },
  }
  for (const step of steps) {
    if (step.do === 'keep') {
      say(`${describe(step)}\n`)
      continue
    }
    say(`${describe(step)} … `)
    const result = await doStep(step, work).catch((error: unknown) => {
      say('failed\n')
      throw error
    })
    say(`${result || 'done'}\n`)
    // At once: what was made cannot be seen a second time.
    if (work.outcome.credentials) writeCredentials(file, work.outcome.credentials)
  }
  const known = readCredentials(file)
  if (known) writeCredentials(file, { ...known, base_url: work.outcome.url ?? known.base_url })
  return work.outcome
}

/** Where a Worker answers, or will. */
const addressOf = ({ urls, onWorkersDev, worker }: Wanted, { subdomain }: Present): string | null =>
  urls[0] ?? (onWorkersDev && subdomain ? `https://${worker}.${subdomain}.workers.dev` : null)
