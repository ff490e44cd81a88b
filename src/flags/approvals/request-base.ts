// Compares a flag with its state when a change request was made.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { changeRequests, featureFlags } from '../../../drizzle'
import { sameJson } from '../../json'
import { flagSets, type FlagRow } from '../read/rows'
import { NEW_FLAG } from '../state'
import type { HeldChange } from './approval-types'

export type RequestBase = Pick<HeldChange, 'flagKey' | 'before' | 'version' | 'wasDeleted'>

/** Names what a request changes and has changed on the flag since. Other fields may have changed. @returns `key`, and names of fields */
export function changedSince({ flagKey, before, version }: RequestBase, row: FlagRow): string[] {
  if (row.version === version) return []
  const isChanged = (field: string, old: unknown) => !sameJson(Reflect.get(row, field) ?? null, old)
  const fields = Object.entries({ key: flagKey, ...before })
  return fields.flatMap(([field, old]) => (isChanged(field, old) ? [field] : []))
}

const ownFields = Object.values(getTableColumns(featureFlags)).filter(({ name }) => name in NEW_FLAG)

/** SQL of the value that the flag has in the field `base.key`, in the form of `json_each`. */
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

/** SQL condition for the same check: nothing that the request changes has changed since. */
export const isCurrent: SQL<number> = sql`EXISTS (SELECT 1 FROM feature_flags
  WHERE feature_flags.id = ${changeRequests}.flag_id AND feature_flags.deleted = (${changeRequests}.change ->> '$.wasDeleted')
  AND (feature_flags.version = ${changeRequests}.change ->> '$.version'
    OR (feature_flags.key = ${changeRequests}.change ->> '$.flagKey' AND NOT EXISTS (
      SELECT 1 FROM json_each(${changeRequests}.change, '$.before') base WHERE base.value IS NOT ${storedValue}))))`
