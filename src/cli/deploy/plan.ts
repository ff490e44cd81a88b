// What a deployment is going to do: from what is wanted and what is there, to steps. Pure, so that `--plan` shows what would be run.
import { isKeyring, MADE_SECRETS } from '../secrets'
import { chooseDatabase, chooseNamespace } from './choice'
import type { Present } from './account-state'
import { secretsOfSettings, settingProblems } from './settings'
import type { Wanted } from './wanted'

export interface PlanOptions {
  /** Of the first user. */
  email: string | null
  /** Leave the database that the Worker has. */
  newDatabase: boolean
  /** Make new keys, although there is data that lost ones have encrypted. */
  newSecrets: boolean
  /** The environment, which may hold values of secrets. */
  env: Readonly<Record<string, string | undefined>>
}

export type Step =
  | { do: 'keep'; what: string }
  | { do: 'build' }
  | { do: 'createDatabase'; name: string }
  | { do: 'createNamespace'; title: string }
  | { do: 'createQueue'; name: string }
  /** Notes where the database stands, to come back to. */
  | { do: 'bookmark' }
  | { do: 'migrate'; files: string[] }
  | { do: 'upload'; worker: string; made: string[]; given: string[] }
  /** Organization, project, user and key. */
  | { do: 'setUp'; email: string }
  /** A new password and key of the first user, for whoever has lost theirs. */
  | { do: 'renew' }
  /** After a change of database: what was published from another one is not read any more. */
  | { do: 'afterRestore' }
  | { do: 'awaitReady' }

export type Plan = { refusals: string[] } | { steps: Step[] }

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** The whole deployment. Refusals say what to do; with one of them nothing is run. */
export function planDeployment(wanted: Wanted, present: Present, options: PlanOptions): Plan {
  const database = chooseDatabase(wanted, present)
  const namespace = chooseNamespace(wanted, present)
  const secrets = planSecrets(wanted, present, options)
  const boundId = present.worker?.databaseId ?? null
  const refusals = [
    ...settingProblems(wanted.vars),
    // The Worker's database may be left when that is what was asked for, but an id that leads nowhere is a mistake.
    ...(database.problem && (wanted.database.id || !options.newDatabase) ? [database.problem] : []),
    ...(namespace.problem ? [namespace.problem] : []),
    ...secrets.refusals,
    ...addressProblems(wanted, present),
    ...emailProblems(present, options),
  ]
  if (refusals.length > 0) return { refusals }

  const steps: Step[] = [
    { do: 'build' },
    database.id
      ? { do: 'keep', what: `the D1 database ${nameOf(present, database.id)}` }
      : { do: 'createDatabase', name: wanted.database.name },
    namespace.id
      ? { do: 'keep', what: `the KV namespace ${titleOf(present, namespace.id)}` }
      : { do: 'createNamespace', title: wanted.namespace.title },
    ...wanted.queues.map((name): Step =>
      present.queues.includes(name) ? { do: 'keep', what: `the queue ${name}` } : { do: 'createQueue', name },
    ),
    ...(secrets.kept.length > 0
      ? [{ do: 'keep', what: `the secrets ${secrets.kept.join(', ')}` } as const]
      : []),
    ...planDatabase(wanted, present, database.id !== null),
    { do: 'upload', worker: wanted.worker, made: secrets.made, given: secrets.given },
    planFirst(present, options),
  ]
  // What an earlier database published may still lie in KV, and project objects remember it.
  const isLeft = boundId !== null && boundId !== database.id
  if (isLeft || (!database.id && namespace.id)) steps.push({ do: 'afterRestore' })
  steps.push({ do: 'awaitReady' })
  return { steps }
}

/** Only what is in the database: for `npm run setup -- --remote`. */
export function planSetUp(
  wanted: Wanted,
  present: Present,
  options: Pick<PlanOptions, 'email'> & { afterRestore: boolean; renew: boolean },
): Plan {
  const { id, problem } = chooseDatabase(wanted, present)
  const refusals = [
    ...(problem ? [problem] : []),
    ...(id || problem
      ? []
      : [`There is no D1 database ${wanted.database.name} yet. \`npm run deploy\` makes it.`]),
    ...(id ? emailProblems(present, options) : []),
  ]
  if (refusals.length > 0) return { refusals }
  const steps: Step[] = [...planDatabase(wanted, present, true), planFirst(present, options)]
  if (options.afterRestore) steps.push({ do: 'afterRestore' })
  if (options.renew && present.hasUsers) steps.push({ do: 'renew' })
  return { steps }
}

function planDatabase({ migrations }: Wanted, { applied }: Present, isThere: boolean): Step[] {
  const files = migrations.filter((file) => !applied.includes(file))
  const newer = applied.filter((file) => !migrations.includes(file))
  return [
    ...(isThere ? [{ do: 'bookmark' } as const] : []),
    files.length > 0
      ? { do: 'migrate', files }
      : { do: 'keep', what: `the schema, which has all ${migrations.length} migrations` },
    ...(newer.length > 0
      ? [{ do: 'keep', what: `migrations that are newer than this code: ${newer.join(', ')}` } as const]
      : []),
  ]
}

const planFirst = ({ hasUsers }: Present, { email }: Pick<PlanOptions, 'email'>): Step =>
  hasUsers
    ? { do: 'keep', what: 'the accounts, projects and keys in the database' }
    : { do: 'setUp', email: email! }

function planSecrets(
  { secrets, vars }: Wanted,
  { worker, hasUsers }: Present,
  { env, newSecrets }: PlanOptions,
) {
  const companions = secretsOfSettings(vars)
  const names = [...new Set([...secrets, ...companions.map(({ secret }) => secret)])]
  const kept = names.filter((name) => worker?.secrets.includes(name))
  const missing = names.filter((name) => !kept.includes(name))
  const brought = missing.filter((name) => env[name] !== undefined)
  const made = missing.filter((name) => !brought.includes(name) && name in MADE_SECRETS)
  const refusals = brought
    .filter((name) => name in MADE_SECRETS && !isKeyring(env[name]!))
    .map(
      (name) =>
        `${name} in the environment has to be \`id:base64\` with 32 bytes, or several of these with commas between them.`,
    )
  if (made.length > 0 && hasUsers && !newSecrets) {
    refusals.push(
      `The database is in use, and the Worker has no ${made.join(' and no ')}: what was encrypted with lost keys cannot be read with new ` +
        `ones. Deploy with the old ones in the environment (${made.map((name) => `${name}=…`).join(' ')} npm run deploy), or with ` +
        '--new-secrets to go on without: encrypted payloads and second factors then have to be entered again.',
    )
  }
  for (const name of missing) {
    if (brought.includes(name) || made.includes(name)) continue
    const companion = companions.find(({ secret }) => secret === name)
    if (companion && !companion.isNeeded) continue
    const reason = companion ? `${companion.setting} is set in wrangler.toml` : 'wrangler.toml requires it'
    refusals.push(`The Worker has no secret ${name}, and ${reason}. Give it once: ${name}=… npm run deploy`)
  }
  return { kept, made, given: brought, refusals }
}

const addressProblems = ({ onWorkersDev }: Wanted, { subdomain }: Present): string[] =>
  subdomain || !onWorkersDev
    ? []
    : [
        'This account has no name under workers.dev yet, where the service would be reached. Choose one at ' +
          'https://dash.cloudflare.com/?to=/:account/workers/onboarding, or put a route of your own domain in wrangler.toml.',
      ]

function emailProblems({ hasUsers }: Present, { email }: Pick<PlanOptions, 'email'>): string[] {
  if (hasUsers || (email && EMAIL.test(email))) return []
  return [
    email
      ? `${JSON.stringify(email)} is no e-mail address.`
      : 'The first user needs an e-mail address: add --email you@example.com behind the `--` of npm run.',
  ]
}

const nameOf = ({ databases }: Present, id: string) => databases.find((one) => one.id === id)!.name
const titleOf = ({ namespaces }: Present, id: string) => namespaces.find((one) => one.id === id)!.title
