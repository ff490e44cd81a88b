// The tables' names, types and objects in HogQL. Printers add the SQL.
import type { TableName } from '../ir'
import type { Type } from '../types'

/** Whose properties a document holds: their definitions determine the values' types. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

export interface ColumnSchema {
  /** The printers' name; a column of an object is prefixed by it: `person__properties`. */
  key: string
  type: Type
  /** Of a document of properties. */
  owner?: PropertyOwner
}

/** An object such as `person` of an event. */
export interface ObjectSchema {
  fields: ReadonlyMap<string, ColumnSchema>
}

export type FieldSchema = ColumnSchema | ObjectSchema

export interface TableSchema {
  name: TableName
  fields: ReadonlyMap<string, FieldSchema>
  /** The columns of `*`, in order. */
  star: readonly string[]
}

export const isObject = (field: object): field is ObjectSchema => 'fields' in field

/** An object's columns, nullable since there may be no such row. */
export const prefixed = (
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
