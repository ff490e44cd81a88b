import { DATETIME, INTEGER, JSON_DOCUMENT, STRING } from '../types'
import { columns, type ColumnSchema, type TableSchema } from './schema'

export const MAX_GROUP_TYPES = 5

/** An event's group, whose type is that of the object. */
export const GROUP_FIELDS: [string, ColumnSchema][] = [
  ...columns({ key: STRING, created_at: DATETIME }),
  ['properties', { key: 'properties', type: JSON_DOCUMENT, owner: 'group_0' }],
]

/** Its properties have no owner: the group type differs from row to row. */
export const GROUPS: TableSchema = {
  name: 'groups',
  fields: new Map(columns({ index: INTEGER, key: STRING, created_at: DATETIME, properties: JSON_DOCUMENT })),
  star: ['index', 'key', 'properties', 'created_at'],
}
