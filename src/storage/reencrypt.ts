// Replaces what older keys of a ring encrypted by values of its current key: in passes over all encrypted columns, a bounded number of statements
// at a time. A pass that finds nothing to replace, after one that may have, proves that no value needs an older key.
//
// Rows may change concurrently. An update that finds another text than the one read writes nothing, and the next pass looks at it again.
import { type Keyring, keyringOf } from './cipher'
import {
  type EncryptedColumn,
  ENCRYPTED_COLUMNS,
  encryptedValuesIn,
  type KeyringSecret,
} from './encrypted-columns'

/** Runs one statement; returns its rows. */
export type Query = (
  sql: string,
  params: readonly (string | number)[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Maximum rows that one statement reads. */
const WINDOW_ROWS = 2_000

/** Maximum rows with encrypted values that one statement returns. Each may have 2 MB. */
const MAX_ROWS = 10

/** Maximum statements of one run of the trigger. */
export const MAX_REENCRYPTION_STATEMENTS = 200

export interface KeyRotation {
  /** The id of the key with which all values are encrypted again. */
  keyId: string
  /** The number of the pass, from 1. */
  pass: number
  /** The index of the column, and the last row that was read. */
  column: number
  row: number
  /** The number of values that this pass replaced. */
  rewritten: number
  /** The number of values that this pass left because no key decrypts them. */
  unreadable: number
  /** Whether a pass found nothing to replace. */
  isVerified: boolean
}

export async function readRotation(query: Query, secret: KeyringSecret): Promise<KeyRotation | null> {
  const [row] = await query('SELECT state FROM key_rotations WHERE secret = ?1', [secret])
  return row ? (JSON.parse(String(row.state)) as KeyRotation) : null
}

const writeRotation = (query: Query, secret: KeyringSecret, state: KeyRotation) =>
  query(
    'INSERT INTO key_rotations (secret, state) VALUES (?1, ?2) ON CONFLICT (secret) DO UPDATE SET state = excluded.state',
    [secret, JSON.stringify(state)],
  )

const begin = (keyId: string, pass: number): KeyRotation => ({
  keyId,
  pass,
  column: 0,
  row: 0,
  rewritten: 0,
  unreadable: 0,
  isVerified: false,
})

/**
 * Encrypts every value in a text with the ring's current key. A value that no key opens stays: a lost key encrypted it, or a user wrote it.
 * @returns the text as it was when nothing changes.
 */
async function reencryptText(text: string, ring: Keyring, column: EncryptedColumn) {
  let rewritten = text
  let unreadable = 0
  for (const { value, keyId } of encryptedValuesIn(text)) {
    if (keyId === ring.currentId) continue
    const plain = await ring.decrypt(value).catch(() => null)
    if (plain === null) unreadable += 1
    else rewritten = rewritten.replace(value, await ring.encrypt(plain, column))
  }
  return { text: rewritten, unreadable }
}

/** SQL that makes project objects publish flags again. The published definitions have the values that were replaced. */
const RELOAD_FLAGS = `UPDATE projects SET flags_generation = flags_generation + 1
  WHERE id IN (SELECT project_id FROM feature_flags WHERE has_encrypted_payloads = 1)`

/**
 * Continues a rotation until it is verified, the pass ends, or the statements are used up.
 * @returns the state; null when the ring has no key.
 */
export async function reencrypt(
  query: Query,
  secret: KeyringSecret,
  ring: Keyring,
  maxStatements = MAX_REENCRYPTION_STATEMENTS,
): Promise<KeyRotation | null> {
  if (ring.currentId === null) return null
  const stored = await readRotation(query, secret)
  let state = stored?.keyId === ring.currentId ? stored : begin(ring.currentId, 1)
  if (state.isVerified) return state
  const columns = Object.entries(ENCRYPTED_COLUMNS).filter(([, column]) => column.secret === secret)
  for (let statements = 0; state.column < columns.length && statements < maxStatements;) {
    const [name, { table, column }] = columns[state.column]!
    const at = [state.row]
    const rows = await query(
      `SELECT id, text FROM (SELECT rowid AS id, ${column} AS text FROM ${table} WHERE rowid > ?1 ORDER BY rowid LIMIT ${WINDOW_ROWS})
        WHERE instr(text, 'enc:') > 0 ORDER BY id LIMIT ${MAX_ROWS}`,
      at,
    )
    statements += 2
    for (const { id, text } of rows) {
      const result = await reencryptText(String(text), ring, name as EncryptedColumn)
      state.unreadable += result.unreadable
      if (result.text === text) continue
      state.rewritten += 1
      statements += 1
      await query(`UPDATE ${table} SET ${column} = ?1 WHERE rowid = ?2 AND ${column} = ?3`, [
        result.text,
        Number(id),
        String(text),
      ])
    }
    const end = rows.length === MAX_ROWS ? Number(rows.at(-1)!.id) : await windowEnd(query, table, state.row)
    state = end === null ? { ...state, column: state.column + 1, row: 0 } : { ...state, row: end }
  }
  if (state.column === columns.length) {
    await query(RELOAD_FLAGS, [])
    const isVerified = state.pass > 1 && state.rewritten === 0
    state = isVerified ? { ...state, isVerified } : begin(state.keyId, state.pass + 1)
  }
  await writeRotation(query, secret, state)
  return state
}

/** The last row of a window, or null for an empty one. */
async function windowEnd(query: Query, table: string, row: number): Promise<number | null> {
  const [end] = await query(
    `SELECT max(id) AS id FROM (SELECT rowid AS id FROM ${table} WHERE rowid > ?1 ORDER BY rowid LIMIT ${WINDOW_ROWS})`,
    [row],
  )
  return end?.id == null ? null : Number(end.id)
}

/** Continues a rotation in a run of the trigger, if `npm run rotate` has given the Worker a new key. */
export async function continueRotation(env: Env, query: Query, secret: KeyringSecret): Promise<void> {
  const next = env[`${secret}_NEXT`]
  if (!next || next.endsWith(':standby')) return
  await reencrypt(query, secret, keyringOf(env, secret))
}
