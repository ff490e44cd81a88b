// Whether a flag still has what a change request was made for.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { changeRequests, featureFlags } from '../../../drizzle'
import { sameJson } from '../../json'
import { flagSets, type FlagRow } from '../read/rows'
import { NEW_FLAG } from '../state'
import type { HeldChange } from './approval-types'

export type RequestBase = Pick<HeldChange, 'flagKey' | 'before' | 'version' | 'wasDeleted'>

/**
 * What a request is about, and is not as it was: other fields may have changed.
 * @returns `key`, and the names of fields that the request changes.
 */
export function changedSince({ flagKey, before, version }: RequestBase, row: FlagRow): string[] {
  if (row.version === version) return []
  const isChanged = (field: string, old: unknown) => !sameJson(Reflect.get(row, field) ?? null, old)
  const fields = Object.entries({ key: flagKey, ...before })
  return fields.flatMap(([field, old]) => (isChanged(field, old) ? [field] : []))
}

const ownFields = Object.values(getTableColumns(featureFlags)).filter(({ name }) => name in NEW_FLAG)

/** The value of the field `base.key` of the flag, as `json_each` shows it. */
const storedValue: SQL = sql`CASE base.key ${sql.join(
  [
    ...ownFields.map(
      ({ name, dataType }) =>
        sql`WHEN ${sql.raw(`'${name}'`)} THEN ${
          dataType === 'json'
            ? sql`json(feature_flags.${sql.identifier(name)})`
            : sql`feature_flags.${sql.identifier(name)}`
        }`,
    ),
    ...Object.entries({ ...flagSets, created_at: sql`feature_flags.created_at` }).map(
      ([field, value]) => sql`WHEN ${sql.raw(`'${field}'`)} THEN ${value}`,
    ),
  ],
  sql` `,
)} END`

/** The same as SQL: 1 while nothing of it has changed. */
export const isCurrent: SQL<number> = sql`EXISTS (SELECT 1 FROM feature_flags
  WHERE feature_flags.id = ${changeRequests}.flag_id AND feature_flags.deleted = (${changeRequests}.change ->> '$.wasDeleted')
  AND (feature_flags.version = ${changeRequests}.change ->> '$.version'
    OR (feature_flags.key = ${changeRequests}.change ->> '$.flagKey' AND NOT EXISTS (
      SELECT 1 FROM json_each(${changeRequests}.change, '$.before') base WHERE base.value IS NOT ${storedValue}))))`
