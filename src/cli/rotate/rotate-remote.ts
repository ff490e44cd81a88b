// Replaces keys of a deployed service. Cloudflare does not show the old keys, so that the Worker, which has them, encrypts everything
// again.
//
// During the rotation the new key is in a secret of its own, PAYLOAD_KEYS_NEXT. First it only decrypts, until every isolate has it. Then it
// encrypts, and the trigger of each minute replaces values. When a whole pass found no old values, the new key replaces the old ones. At
// every moment the Worker has every key that a value needs.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleepFor } from 'node:timers/promises'
import type { KeyringSecret } from '../../storage/encrypted-columns'
import { readRotation } from '../../storage/reencrypt'
import { PreflightError, requireNone } from '../command'
import type { Account } from '../deploy/account'
import { readActualState } from '../deploy/actual-state'
import { DATABASE } from '../deploy/bindings'
import { isTemporary, withRetries } from '../deploy/cloudflare'
import type { DesiredState } from '../deploy/desired-state'
import { chooseDatabases, schemaProblems } from '../deploy/plan-databases'
import { keyringProblems, MADE_SECRETS } from '../deploy/secrets'
import { remoteDatabase, type SqlDatabase } from '../sql-database'
import { writeWhole } from '../write-whole'
import { checkBackupCodes, endBackupCodes, type RotateOptions, describeRotation, sayRest } from './rotation'

/** The time until every isolate has a new secret. Cloudflare needs seconds. */
const PROPAGATION_MS = 30_000
const POLL_MS = 5_000
/** The time after which the rotation counts as stuck. The trigger runs every minute. */
const MAX_SILENCE_MS = 300_000

export interface RemoteRotateOptions extends RotateOptions {
  /** The environment, which may contain a key that the operator created: PAYLOAD_KEYS_NEXT. */
  env: Readonly<Record<string, string | undefined>>
  sleep?(ms: number): Promise<unknown>
  /** The folder of wrangler.toml, by default the project's. */
  folder?: string
}

type Keys = Partial<Record<KeyringSecret | `${KeyringSecret}_NEXT`, string>>

const remoteKeys = (environment: string | null) =>
  `.dev/keys.remote${environment ? `.${environment}` : ''}.json`

const readKeys = (file: string): Keys =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Keys) : {}

const writeKeys = (file: string, keys: Keys): void => writeWhole(file, `${JSON.stringify(keys, null, 2)}\n`)

/** @throws PreflightError before anything changes */
export async function rotateRemote(
  account: Account,
  desired: DesiredState,
  options: RemoteRotateOptions,
): Promise<void> {
  const { secrets, env, say, sleep = sleepFor, folder = '.' } = options
  const actual = await readActualState(account, desired)
  if (!actual.worker)
    throw new PreflightError(`There is no Worker ${desired.worker}. Deploy it: npm run deploy`)
  const databases = chooseDatabases(desired, actual)
  const { choice, migrations } = databases.find(({ binding }) => binding === DATABASE)!
  requireNone([...(choice.problem ? [choice.problem] : []), ...schemaProblems(databases, actual)])
  const pending = migrations.filter(({ file }) => !actual.schemas[DATABASE]?.applied.includes(file))
  if (!choice.id || pending.length > 0)
    throw new PreflightError('The deployed version differs from this code. Deploy first: npm run deploy')
  const database = remoteDatabase(DATABASE, choice.id, account)
  await checkBackupCodes(database, options)

  const file = join(folder, remoteKeys(desired.environment))
  const script = `/accounts/${account.id}/workers/scripts/${desired.worker}/secrets`
  const put = (name: string, text: string) =>
    withRetries(() => account.cloudflare.put(script, { name, text, type: 'secret_text' }), isTemporary)
  const names = new Map(secrets.map((secret) => [secret, `${secret}_NEXT` as const]))
  for (const [secret, next] of names) {
    if (!actual.worker.secrets.includes(secret))
      throw new PreflightError(
        `The Worker ${desired.worker} has no secret ${secret}. Deploy first: npm run deploy`,
      )
    const given = env[next]
    requireNone(given === undefined ? [] : keyringProblems({ [next]: given }))
    // With `:standby` after the last of several keys, the first would encrypt at once.
    if (given?.includes(',')) throw new PreflightError(`${next} must be one key.`)
    if (given === undefined && actual.worker.secrets.includes(next) && !readKeys(file)[next]) {
      throw new PreflightError(
        `A rotation of ${secret} was begun elsewhere, and its new key is not in ${file}. Go on there, or give the key: ${next}=… npm run rotate …`,
      )
    }
  }

  const bound = actual.worker.secrets
  const begunNames = [...names].filter(([, next]) => readKeys(file)[next] || bound.includes(next))
  for (const [secret, next] of begunNames.length > 0 ? begunNames : names) {
    const known = readKeys(file)
    const key = env[next] ?? known[next] ?? MADE_SECRETS[secret]!()
    const keyId = key.split(':', 1)[0]!
    writeKeys(file, { ...known, [next]: key })
    const begun = await readRotation(database.query, secret)
    if (begun?.keyId !== keyId) {
      say(`Give the Worker the new key ${keyId} of ${secret} … `)
      await put(next, `${key}:standby`)
      await sleep(PROPAGATION_MS)
      await put(next, key)
      say('done\n')
    }
    say(`Encrypt every value with it: the Worker does so in the first minutes … `)
    const state = await untilVerified(database, secret, keyId, sleep)
    await endBackupCodes(database, secret, options)
    await put(secret, key)
    // Isolates that do not have the new secret yet still have the old one.
    await sleep(PROPAGATION_MS)
    await withRetries(() => account.cloudflare.delete(`${script}/${next}`), isTemporary)
    const { [next]: _, ...others } = readKeys(file)
    writeKeys(file, { ...others, [secret]: key })
    say(`done\n${secret}: ${describeRotation(state)}\n`)
  }
  sayRest(
    begunNames.map(([secret]) => secret),
    options,
  )
  say(
    `The new keys are in ${file}, which only you can read. Store them in a password manager: a restore needs them, and Cloudflare never shows them.\n`,
  )
}

async function untilVerified(
  { query }: SqlDatabase,
  secret: KeyringSecret,
  keyId: string,
  sleep: (ms: number) => Promise<unknown>,
) {
  let last = ''
  for (let silence = 0; silence <= MAX_SILENCE_MS; silence += POLL_MS) {
    const state = await readRotation(query, secret)
    if (state?.keyId === keyId && state.isVerified) return state
    const seen = JSON.stringify(state)
    if (seen !== last) silence = 0
    last = seen
    await sleep(POLL_MS)
  }
  throw new Error(
    `failed\nThe Worker has not gone on for ${MAX_SILENCE_MS / 60_000} minutes. Everything can be read, with the old and the new key. Look at ` +
      '`npx wrangler tail` for "re-encrypt", and run the command again.',
  )
}
