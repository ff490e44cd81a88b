// Groups: organizations, projects and whatever else events belong to.
import { DATETIME, INTEGER, JSON_DOCUMENT, STRING } from '../types'
import { columns, type ColumnSchema, type TableSchema } from './schema'

/** How many types of group a project has at most. */
export const GROUP_TYPES = 5

/** What an event says of its group. Which type it is says the name of the object. */
export const OF_GROUP: [string, ColumnSchema][] = [
  ...columns({ key: STRING, created_at: DATETIME }),
  ['properties', { key: 'properties', type: JSON_DOCUMENT, owner: 'group_0' }],
]

/** Its properties have no owner: which type of group it is differs from row to row. */
export const GROUPS: TableSchema = {
  name: 'groups',
  fields: new Map(columns({ index: INTEGER, key: STRING, created_at: DATETIME, properties: JSON_DOCUMENT })),
  star: ['index', 'key', 'properties', 'created_at'],
}
