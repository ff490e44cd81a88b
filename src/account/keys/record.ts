// A personal API key as its owner sees it (reference §10.2).
import { desc, type SQL } from 'drizzle-orm'
import * as z from 'zod'
import { dateTime } from '../../http/fields'
import { personalApiKeys } from '../../../drizzle'
import type { Database } from '../../storage/database'
import { shown, shownOrNull } from '../../timestamps'

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

/** Keys as they are stored, newest first. */
export const selectKeys = (db: Database, where: SQL | undefined) =>
  db
    .select({
      id: personalApiKeys.id,
      userId: personalApiKeys.userId,
      label: personalApiKeys.label,
      description: personalApiKeys.description,
      maskValue: personalApiKeys.maskValue,
      scopes: personalApiKeys.scopes,
      scopedTeams: personalApiKeys.scopedTeams,
      scopedOrganizations: personalApiKeys.scopedOrganizations,
      createdAt: personalApiKeys.createdAt,
      lastUsedAt: personalApiKeys.lastUsedAt,
      lastRolledAt: personalApiKeys.lastRolledAt,
    })
    .from(personalApiKeys)
    .where(where)
    .orderBy(desc(personalApiKeys.createdAt), desc(personalApiKeys.id))

type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number]

/** A key as it is shown; `value` only to whoever just made it. */
export const keyRecordFrom = (row: KeyRow, value: string | null = null): KeyRecord => ({
  id: row.id,
  label: row.label,
  description: row.description,
  value,
  mask_value: row.maskValue,
  created_at: shown(row.createdAt),
  last_used_at: shownOrNull(row.lastUsedAt),
  last_rolled_at: shownOrNull(row.lastRolledAt),
  user_id: row.userId,
  is_legacy_hashing: false,
  scopes: row.scopes,
  scoped_teams: row.scopedTeams,
  scoped_organizations: row.scopedOrganizations,
  local_dev_value: null,
})
