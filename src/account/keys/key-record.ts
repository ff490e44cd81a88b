// Personal API keys (docs/reference/accounts.md#personal-api-keys).
import { desc, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { ada } from '../../http/docs/examples'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { dateTime } from '../../http/fields'
import { personalApiKeys } from '../../../drizzle'
import { columnsIn } from '../../storage/columns'
import type { Database } from '../../storage/database'
import { toApiTimestamp, toApiTimestampOrNull } from '../../timestamps'

export const KeyRecord = z
  .object({
    id: z.string(),
    label: z.string(),
    description: z.string().nullable(),
    value: z.string().nullable(),
    mask_value: z.string(),
    created_at: dateTime(),
    last_used_at: dateTime().nullable(),
    last_rolled_at: dateTime().nullable(),
    user_id: z.int(),
    is_legacy_hashing: z.boolean(),
    scopes: z.array(z.string()),
    scoped_teams: z.array(z.int()),
    scoped_organizations: z.array(z.string()),
    local_dev_value: z.null(),
  })
  .meta({ id: 'PersonalApiKey' })

export type KeyRecord = z.output<typeof KeyRecord>

export const KeyRecordDocs = (): SchemaDocs => ({
  description: 'A personal API key. It acts for its user, within its scopes.',
  fields: {
    id: 'Id of the key, for paths. It is not a secret.',
    label: 'What the key is for.',
    description: 'More about the key. Null for none.',
    value: 'The secret (`phx_…`), in the response that creates or rolls the key; null in all others.',
    mask_value: 'First and last four characters of the secret.',
    created_at: 'Time of creation. ISO 8601, UTC.',
    last_used_at: 'Time of last use, to the hour. ISO 8601, UTC. Null: never used.',
    last_rolled_at: 'Time of the last new secret. ISO 8601, UTC. Null: never rolled.',
    user_id: 'Number of the user who owns the key.',
    is_legacy_hashing: 'Whether the secret is hashed in an outdated way. Always false.',
    scopes: 'Scopes of the key, such as `feature_flag:read`; `*` for all.',
    scoped_teams: 'Ids of the projects that the key is restricted to; empty for all projects of the user.',
    scoped_organizations:
      'Ids of the organizations that the key is restricted to; empty for all organizations of the user.',
    local_dev_value: 'Always null: secrets are never stored in plain text.',
  },
  example: keyExample(),
})

/** A key for examples. */
export const keyExample = () => ({
  id: 'KgTPnO1KrsheE2OEfwZeA5',
  label: 'CI',
  description: 'Reads flags in the pipeline.',
  mask_value: 'phx_...wxyz',
  created_at: '2026-04-01T09:00:00Z',
  last_used_at: '2026-04-01T09:20:00Z',
  user_id: ada.id,
  scopes: ['feature_flag:read'],
})

/** Selects keys, newest first. */
export const selectKeys = (db: Database, where: SQL | undefined) =>
  db
    .select(columnsIn(personalApiKeys, KeyRecord.shape))
    .from(personalApiKeys)
    .where(where)
    .orderBy(desc(personalApiKeys.createdAt), desc(personalApiKeys.id))

type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number]

/** @param value is set only for a new or rolled key */
export const keyRecordFrom = (row: KeyRow, value: string | null = null): KeyRecord => ({
  ...row,
  value,
  created_at: toApiTimestamp(row.created_at),
  last_used_at: toApiTimestampOrNull(row.last_used_at),
  last_rolled_at: toApiTimestampOrNull(row.last_rolled_at),
  is_legacy_hashing: false,
  local_dev_value: null,
})
