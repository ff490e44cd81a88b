// The rotation of encryption keys.
import { sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** How far the values of a key ring are encrypted with its newest key (src/storage/reencrypt.ts). */
export const keyRotations = sqliteTable('key_rotations', {
  /** `PAYLOAD_KEYS` or `ACCOUNT_KEYS`. */
  secret: text('secret').primaryKey(),
  /** JSON: the id of the key, and the position. No key. */
  state: text('state').notNull(),
})
