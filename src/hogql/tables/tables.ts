// The tables that a query may name, whatever the database holds.
import type { TableName } from '../ir'
import type { Type } from '../types'
import { EVENTS } from './events'
import { GROUPS } from './groups'
import { COHORT_PEOPLE, PERSON_DISTINCT_IDS, PERSONS } from './persons'
import { isObject, type TableSchema } from './schema'
import { SESSIONS } from './sessions'

export const TABLES: Readonly<Record<TableName, TableSchema>> = {
  events: EVENTS,
  persons: PERSONS,
  person_distinct_ids: PERSON_DISTINCT_IDS,
  groups: GROUPS,
  sessions: SESSIONS,
  cohort_people: COHORT_PEOPLE,
}

export const findTable = (name: string): TableSchema | undefined =>
  Object.hasOwn(TABLES, name) ? TABLES[name as TableName] : undefined

/** Keys and types of the columns that a printer must support. */
export function columnKeysOf(table: TableName): ReadonlyMap<string, Type> {
  const keys = new Map<string, Type>()
  for (const field of TABLES[table].fields.values()) {
    for (const { key, type } of isObject(field) ? field.fields.values() : [field]) keys.set(key, type)
  }
  return keys
}
