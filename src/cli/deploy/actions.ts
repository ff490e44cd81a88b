// How each step is done. What an action returns is worth saying of it.
import { firstSetUp, renewCredentials } from '../first-set-up'
import { MADE_SECRETS } from '../secrets'
import { runWrangler } from '../wrangler'
import { AFTER_RESTORE } from './after-restore'
import { withPinnedConfig } from './pinned-config'
import type { Step } from './plan'
import { query } from './present'
import { untilReady } from './ready'
import { build, upload } from './upload'
import type { Work } from './work'

type Doing = Exclude<Step['do'], 'keep'>
type StepOf<Name> = Extract<Step, { do: Name }>

const ACTIONS: { [Name in Doing]: (step: StepOf<Name>, work: Work) => Promise<string | void> } = {
  async build(_, { wanted }) {
    await build(wanted.environment)
  },
  async createDatabase({ name }, work) {
    const { uuid } = await post<{ uuid: string }>(work, 'd1/database', { name })
    work.ids.databaseId = uuid
    return uuid
  },
  async createNamespace({ title }, work) {
    const { id } = await post<{ id: string }>(work, 'storage/kv/namespaces', { title })
    work.ids.namespaceId = id
    return id
  },
  async createQueue({ name }, work) {
    await post(work, 'queues', { queue_name: name })
  },
  async bookmark(_, { account, ids }) {
    const { bookmark } = await account.cloudflare.get<{ bookmark: string }>(
      `/accounts/${account.id}/d1/database/${ids.databaseId}/time_travel/bookmark`,
    )
    return `bookmark ${bookmark}`
  },
  async migrate(_, work) {
    await wrangler(work, ['d1', 'migrations', 'apply', 'DB', '--remote'])
  },
  async upload({ made, given }, work) {
    const secrets = {
      ...Object.fromEntries(made.map((name) => [name, MADE_SECRETS[name]!()])),
      ...Object.fromEntries(given.map((name) => [name, work.env[name] ?? ''])),
    }
    const address = await upload(secrets, (args, env) => wrangler(work, args, env))
    work.outcome.url = work.wanted.urls[0] ?? address
    return work.outcome.url ?? 'done, without an address'
  },
  async setUp({ email }, work) {
    work.outcome.credentials = await firstSetUp(executeOn(work), email, work.outcome.url ?? '')
  },
  async renew(_, work) {
    work.outcome.credentials = await renewCredentials(executeOn(work), work.outcome.url ?? '')
  },
  async afterRestore(_, work) {
    await executeOn(work)(AFTER_RESTORE)
  },
  async awaitReady(_, { outcome, patience }) {
    const problem = outcome.url && (await untilReady(outcome.url, patience))
    if (!problem) return
    outcome.warnings.push(`${outcome.url}/ready does not say that everything is ready: ${problem}`)
    return 'not yet'
  },
}

/** Does one step. Ids and credentials that it makes are in the work then. */
export function doStep(step: StepOf<Doing>, work: Work): Promise<string | void> {
  const action = ACTIONS[step.do] as (step: StepOf<Doing>, work: Work) => Promise<string | void>
  return action(step, work)
}

const post = <T>({ account }: Work, path: string, body: unknown): Promise<T> =>
  account.cloudflare.post<T>(`/accounts/${account.id}/${path}`, body)

const executeOn =
  ({ account, ids }: Work) =>
  (statements: readonly string[]) =>
    query(account, ids.databaseId!, statements)

const wrangler = (
  { account, wanted, ids }: Work,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  withPinnedConfig(wanted.environment, ids, (config) =>
    runWrangler([...args, '--config', config, ...(wanted.environment ? ['--env', wanted.environment] : [])], {
      CLOUDFLARE_ACCOUNT_ID: account.id,
      ...env,
    }),
  )
