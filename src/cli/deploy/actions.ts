// Runs the steps of a deployment. An action returns the text that is printed after its step.
import { MADE_SECRETS } from './secrets'
import { renewCredentials, seedDatabase } from '../local/seed'
import { remoteDatabase } from '../sql-database'
import type { Credentials } from '../local/credentials'
import type { Account } from './account'
import type { ActualState } from './account-state'
import { AFTER_RESTORE } from './after-restore'
import { DATABASE } from './bindings'
import type { DesiredState } from './desired-state'
import { type Ids, build, upload } from './upload'
import { untilReady } from './ready'
import type { DeployStep } from './step'

export interface RunOptions {
  account: Account
  desired: DesiredState
  actual: ActualState
  /** Values of secrets from the environment. */
  env: Readonly<Record<string, string | undefined>>
  /** The URL of the service, when the operator gives it. */
  url?: string
}

export interface Outcome {
  /** The URL of the service, or null when it has no address. */
  url: string | null
  /** The credentials that this run created, which are shown once. */
  credentials: Credentials | null
  /** The file of the credentials. */
  file: string
  /** Problems that did not stop the run. */
  warnings: string[]
}

export interface StepContext extends RunOptions {
  ids: Ids
  outcome: Outcome
}

type Action = Exclude<DeployStep['do'], 'keep'>
type StepOf<Name> = Extract<DeployStep, { do: Name }>

const ACTIONS: {
  [Name in Action]: (step: StepOf<Name>, context: StepContext) => Promise<string | void>
} = {
  async build(_, { desired }) {
    await build(desired.environment)
  },
  async createDatabase({ binding, name }, context) {
    const { uuid } = await post<{ uuid: string }>(context, 'd1/database', { name })
    context.ids.databases[binding] = uuid
    return uuid
  },
  async createNamespace({ title }, context) {
    const { id } = await post<{ id: string }>(context, 'storage/kv/namespaces', { title })
    context.ids.namespaceId = id
    return id
  },
  async createQueue({ name }, context) {
    await post(context, 'queues', { queue_name: name })
  },
  async bookmark({ binding }, { account, ids }) {
    const { bookmark } = await account.cloudflare.get<{ bookmark: string }>(
      `/accounts/${account.id}/d1/database/${ids.databases[binding]}/time_travel/bookmark`,
    )
    return bookmark
  },
  async migrate({ binding, files }, context) {
    const { migrations } = context.desired.databases.find((one) => one.binding === binding)!
    await databaseOf(context, binding).migrate(migrations.filter(({ file }) => files.includes(file)))
  },
  async upload({ made, given }, context) {
    const secrets = {
      ...Object.fromEntries(made.map((name) => [name, MADE_SECRETS[name]!()])),
      ...Object.fromEntries(given.map((name) => [name, context.env[name] ?? ''])),
    }
    const { account, desired, ids } = context
    const address = await upload(secrets, { accountId: account.id, environment: desired.environment, ids })
    context.outcome.url = desired.urls[0] ?? address
    return context.outcome.url ?? 'done, without an address'
  },
  async seed({ email, replacesLost }, context) {
    const { outcome, desired } = context
    const queryEngine = desired.vars.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
    outcome.credentials = await seedDatabase(databaseOf(context).execute, {
      email,
      baseUrl: outcome.url ?? '',
      queryEngine,
      following: replacesLost ? AFTER_RESTORE : [],
    })
  },
  async renew(_, context) {
    context.outcome.credentials = await renewCredentials(
      databaseOf(context).execute,
      context.outcome.url ?? '',
    )
  },
  async afterRestore(_, context) {
    await databaseOf(context).execute(AFTER_RESTORE)
  },
  async awaitReady(_, { outcome }) {
    const problem = outcome.url && (await untilReady(outcome.url))
    if (!problem) return
    outcome.warnings.push(`${outcome.url}/ready does not say that everything is ready: ${problem}`)
    return 'not yet'
  },
}

/** Adds ids and credentials that it creates to the context. */
export function runStep(step: StepOf<Action>, context: StepContext): Promise<string | void> {
  const action = ACTIONS[step.do] as (step: StepOf<Action>, context: StepContext) => Promise<string | void>
  return action(step, context)
}

const post = <T>({ account }: StepContext, path: string, body: unknown): Promise<T> =>
  account.cloudflare.post<T>(`/accounts/${account.id}/${path}`, body)

const databaseOf = ({ account, ids }: StepContext, binding = DATABASE) =>
  remoteDatabase(binding, ids.databases[binding]!, account)
