// Derives the steps of a deployment from the desired and the actual state. The functions are pure.
import { emailProblem } from '../email-problem'
import { type ActualState, hasUsers } from './account-state'
import { DATABASE } from './bindings'
import type { DesiredState } from './desired-state'
import { chooseNamespace, chooseDatabases, planMigrations, schemaProblems } from './plan-databases'
import { planSecrets, type SecretsOptions } from './plan-secrets'
import type { DeployStep } from './step'

export interface PlanOptions extends SecretsOptions {
  /** The address of the first user. */
  email: string | null
  /** Whether to replace databases that the Worker is bound to. */
  newDatabase: boolean
}

export type Plan = { problems: string[] } | { steps: DeployStep[] }

export function planDeployment(desired: DesiredState, actual: ActualState, options: PlanOptions): Plan {
  const databases = chooseDatabases(desired, actual)
  const main = databases.find(({ binding }) => binding === DATABASE)!
  const namespace = chooseNamespace(desired, actual)
  const secrets = planSecrets(desired, actual, options)
  const problems = [
    // The Worker's database may be replaced when the operator asks for it, but an id that does not exist is a mistake.
    ...databases.flatMap(({ id, choice }) =>
      choice.problem && (id || !options.newDatabase) ? [choice.problem] : [],
    ),
    ...(namespace.problem ? [namespace.problem] : []),
    ...schemaProblems(databases, actual),
    ...secrets.problems,
    ...addressProblems(desired, actual),
    ...emailProblems(actual, options),
  ]
  if (problems.length > 0) return { problems }

  const steps: DeployStep[] = [
    { do: 'build' },
    ...databases.map(({ binding, name, choice }): DeployStep =>
      choice.id ? { do: 'keep', what: `the D1 database ${name}` } : { do: 'createDatabase', binding, name },
    ),
    namespace.id
      ? { do: 'keep', what: `the KV namespace ${titleOf(actual, namespace.id)}` }
      : { do: 'createNamespace', title: desired.namespace.title },
    ...desired.queues.map((name): DeployStep =>
      actual.queues.includes(name) ? { do: 'keep', what: `the queue ${name}` } : { do: 'createQueue', name },
    ),
    ...(secrets.kept.length > 0
      ? [{ do: 'keep', what: `the secrets ${secrets.kept.join(', ')}` } as const]
      : []),
    ...planMigrations(databases, actual),
  ]
  // KV and project objects may still hold what an earlier database published. The Worker is bound to the database from the upload on, so
  // that a repeated deployment would not find that it was replaced.
  const boundId = actual.worker?.databaseIds[DATABASE] ?? null
  const isReplaced = boundId !== null && boundId !== main.choice.id
  const seed = planSeed(actual, options)
  if (isReplaced && seed.do === 'keep') steps.push({ do: 'afterRestore' })
  steps.push({ do: 'upload', worker: desired.worker, made: secrets.made, given: secrets.given })
  steps.push(
    seed.do === 'seed' && (isReplaced || namespace.id !== null) ? { ...seed, replacesLost: true } : seed,
  )
  steps.push({ do: 'awaitReady' })
  return { steps }
}

/** Plans `npm run setup -- --remote`, which only sets up databases. */
export function planSetup(
  desired: DesiredState,
  actual: ActualState,
  options: Pick<PlanOptions, 'email'> & { afterRestore: boolean; renew: boolean },
): Plan {
  const databases = chooseDatabases(desired, actual)
  const missing = databases.filter(({ choice }) => !choice.id)
  const problems = [
    ...databases.flatMap(({ choice }) => choice.problem ?? []),
    ...missing.flatMap(({ name, choice }) =>
      choice.problem ? [] : [`There is no D1 database ${name} yet. \`npm run deploy\` creates it.`],
    ),
    ...schemaProblems(databases, actual),
    ...(missing.length === 0 ? emailProblems(actual, options) : []),
  ]
  if (problems.length > 0) return { problems }
  const steps: DeployStep[] = [...planMigrations(databases, actual), planSeed(actual, options)]
  if (options.afterRestore) steps.push({ do: 'afterRestore' })
  if (options.renew && hasUsers(actual)) steps.push({ do: 'renew' })
  return { steps }
}

const planSeed = (
  actual: ActualState,
  { email }: Pick<PlanOptions, 'email'>,
): Extract<DeployStep, { do: 'keep' | 'seed' }> =>
  hasUsers(actual) ? { do: 'keep', what: 'the accounts, projects and keys' } : { do: 'seed', email: email! }

const addressProblems = ({ onWorkersDev }: DesiredState, { subdomain }: ActualState): string[] =>
  subdomain || !onWorkersDev
    ? []
    : [
        'This account has no name under workers.dev yet, where the service would be reached. Choose one at ' +
          'https://dash.cloudflare.com/?to=/:account/workers/onboarding, or put a route of your own domain in wrangler.toml.',
      ]

function emailProblems(actual: ActualState, { email }: Pick<PlanOptions, 'email'>): string[] {
  if (hasUsers(actual)) return []
  if (email) return emailProblem(email)
  return ['The first user needs an e-mail address: add --email you@example.com after the `--` of npm run.']
}

const titleOf = ({ namespaces }: ActualState, id: string) => namespaces.find((one) => one.id === id)!.title
