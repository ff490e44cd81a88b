// How each step is run. An action returns what is printed behind the step.
import { MADE_SECRETS } from '../secrets'
import { renewCredentials, seedDatabase } from '../seed'
import { runWrangler } from '../wrangler'
import { query } from './actual-state'
import { AFTER_RESTORE } from './after-restore'
import { DATABASE } from './bindings'
import { withPinnedConfig } from './pinned-config'
import { untilReady } from './ready'
import type { Step } from './step'
import type { StepContext } from './step-context'
import { build, upload } from './upload'

type Action = Exclude<Step['do'], 'keep'>
type StepOf<Name> = Extract<Step, { do: Name }>

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
  async migrate({ binding }, context) {
    await wrangler(context, ['d1', 'migrations', 'apply', binding, '--remote'])
  },
  async upload({ made, given }, context) {
    const secrets = {
      ...Object.fromEntries(made.map((name) => [name, MADE_SECRETS[name]!()])),
      ...Object.fromEntries(given.map((name) => [name, context.env[name] ?? ''])),
    }
    const address = await upload(secrets, (args, env) => wrangler(context, args, env))
    context.outcome.url = context.desired.urls[0] ?? address
    return context.outcome.url ?? 'done, without an address'
  },
  async seed({ email }, context) {
    const { outcome, desired } = context
    const queryEngine = desired.vars.CLICKHOUSE_URL ? 'clickhouse' : 'd1'
    outcome.credentials = await seedDatabase(executeOn(context), {
      email,
      baseUrl: outcome.url ?? '',
      queryEngine,
    })
  },
  async renew(_, context) {
    context.outcome.credentials = await renewCredentials(executeOn(context), context.outcome.url ?? '')
  },
  async afterRestore(_, context) {
    await executeOn(context)(AFTER_RESTORE)
  },
  async awaitReady(_, { outcome, patience }) {
    const problem = outcome.url && (await untilReady(outcome.url, patience))
    if (!problem) return
    outcome.warnings.push(`${outcome.url}/ready does not say that everything is ready: ${problem}`)
    return 'not yet'
  },
}

/** Runs one step. Ids and credentials that it makes are in the context afterwards. */
export function runStep(step: StepOf<Action>, context: StepContext): Promise<string | void> {
  const action = ACTIONS[step.do] as (step: StepOf<Action>, context: StepContext) => Promise<string | void>
  return action(step, context)
}

const post = <T>({ account }: StepContext, path: string, body: unknown): Promise<T> =>
  account.cloudflare.post<T>(`/accounts/${account.id}/${path}`, body)

/** Runs SQL on the main database. */
const executeOn =
  ({ account, ids }: StepContext) =>
  (statements: readonly string[]) =>
    query(account, ids.databases[DATABASE]!, statements)

const wrangler = (
  { account, desired, ids }: StepContext,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  withPinnedConfig(desired.environment, ids, (config) =>
    runWrangler(
      [...args, '--config', config, ...(desired.environment ? ['--env', desired.environment] : [])],
      {
        CLOUDFLARE_ACCOUNT_ID: account.id,
        ...env,
      },
    ),
  )
