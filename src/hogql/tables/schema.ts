// What a table looks like to HogQL: names, types and the objects that stand for a row of another table. No SQL: printers write the columns.
import type { TableName } from '../ir'
import type { Type } from '../types'

/** Whose properties a JSON document holds: their definitions say what its text is turned into. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

export interface ColumnSchema {
  /** What printers know it by. A column of an object has that of the object in front: `person__properties`. */
  key: string
  type: Type
  /** Of a document of properties. */
  owner?: PropertyOwner
}

/** An object such as `person` of an event: columns behind a name. */
export interface ObjectSchema {
  fields: ReadonlyMap<string, ColumnSchema>
}

export type FieldSchema = ColumnSchema | ObjectSchema

export interface TableSchema {
  name: TableName
  fields: ReadonlyMap<string, FieldSchema>
  /** The names behind `*`, in order. */
  star: readonly string[]
}

export const isObject = (field: object): field is ObjectSchema => 'fields' in field

/** The same columns behind a prefix, each able to be NULL: there may be no such row. */
export const behind = (
  prefix: string,
  columns: Iterable<readonly [string, ColumnSchema]>,
  owner?: PropertyOwner,
): ObjectSchema => ({
  fields: new Map(
    [...columns].map(([name, column]) => [
      name,
      {
        key: `${prefix}__${column.key}`,
        type: { ...column.type, nullable: true },
        owner: column.owner && (owner ?? column.owner),
      },
    ]),
  ),
})

/** Columns whose key is their name. */
export const columns = (types: Readonly<Record<string, Type>>): [string, ColumnSchema][] =>
  Object.entries(types).map(([name, type]) => [name, { key: name, type }])
