import { BOOLEAN, DATETIME, INTEGER, JSON_DOCUMENT, STRING } from '../types'
import { columns, type ColumnSchema, type TableSchema } from './schema'

const PROPERTIES: [string, ColumnSchema] = [
  'properties',
  { key: 'properties', type: JSON_DOCUMENT, owner: 'person' },
]

export const PERSONS: TableSchema = {
  name: 'persons',
  fields: new Map([...columns({ id: STRING, created_at: DATETIME, is_identified: BOOLEAN }), PROPERTIES]),
  star: ['id', 'created_at', 'properties', 'is_identified'],
}

/** An event's person; the id is the event's own column. */
export const PERSON_FIELDS: [string, ColumnSchema][] = [
  ...columns({ created_at: DATETIME, is_identified: BOOLEAN }),
  PROPERTIES,
]

export const PERSON_DISTINCT_IDS: TableSchema = {
  name: 'person_distinct_ids',
  fields: new Map(columns({ distinct_id: STRING, person_id: STRING })),
  star: ['distinct_id', 'person_id'],
}

export const COHORT_PEOPLE: TableSchema = {
  name: 'cohort_people',
  fields: new Map(columns({ person_id: STRING, cohort_id: INTEGER })),
  star: ['person_id', 'cohort_id'],
}
