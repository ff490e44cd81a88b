// The columns with values that the key rings encrypted. The rotation of keys rewrites them, and a restore checks whether the keys decrypt
// them. The key ring encrypts for these columns only, so that none is forgotten.
/** The secrets that are key rings. */
export const KEYRING_SECRETS = ['PAYLOAD_KEYS', 'ACCOUNT_KEYS'] as const

export type KeyringSecret = (typeof KEYRING_SECRETS)[number]

interface Column {
  secret: KeyringSecret
  table: string
  column: string
  /** Copies of earlier values: the service works without them. */
  isHistory?: boolean
}

/** Encrypted columns of the main database. Shards have none. */
export const ENCRYPTED_COLUMNS = {
  flagPayloads: { secret: 'PAYLOAD_KEYS', table: 'feature_flags', column: 'filters' },
  heldPayloads: { secret: 'PAYLOAD_KEYS', table: 'change_requests', column: 'change' },
  flagHistory: { secret: 'PAYLOAD_KEYS', table: 'activity_log', column: 'detail', isHistory: true },
  secondFactor: { secret: 'ACCOUNT_KEYS', table: 'totp_devices', column: 'secret' },
  webhookSecret: { secret: 'ACCOUNT_KEYS', table: 'webhooks', column: 'secret' },
  previousWebhookSecret: { secret: 'ACCOUNT_KEYS', table: 'webhooks', column: 'previous_secret' },
  ssoClientSecret: { secret: 'ACCOUNT_KEYS', table: 'organization_sso', column: 'client_secret' },
  pendingSecondFactor: { secret: 'ACCOUNT_KEYS', table: 'sessions', column: 'pending_totp_secret' },
} satisfies Record<string, Column>

export type EncryptedColumn = keyof typeof ENCRYPTED_COLUMNS

export const encryptedColumnsOf = (secret: KeyringSecret): Column[] =>
  Object.values<Column>(ENCRYPTED_COLUMNS).filter((one) => one.secret === secret)

/** Matches an encrypted value in a text. JSON escapes no part of it. */
const ENCRYPTED = /enc:([^:,\s"\\]+):[A-Za-z0-9+/]+={0,2}/g

export const encryptedValuesIn = (text: string): { value: string; keyId: string }[] =>
  [...text.matchAll(ENCRYPTED)].map(([value, keyId]) => ({ value, keyId: keyId! }))
