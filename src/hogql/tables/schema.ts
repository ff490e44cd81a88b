// The schema of the tables in HogQL: names, types and objects. Printers add the SQL.
import type { Expr, TableName } from '../ir'
import { nullable, type Type } from '../types'

/** The owner of the properties in a document. The owner's definitions determine the values' types. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

export interface ColumnSchema {
  /** The printers' name of the column. For an object's column, it has the prefix of the object, as in `person__properties`. */
  key: string
  type: Type
  /** The owner of the properties, if the column is a document of them. */
  owner?: PropertyOwner
}

/** An object such as `person` of an event. */
export interface ObjectSchema {
  fields: ReadonlyMap<string, FieldSchema>
}

/** A field that is computed from a column of its table. */
export interface ComputedSchema {
  of: string
  compute(column: Expr): Expr
}

/** A column that an expression of HogQL computes from columns of its table, by their names in the expression. */
export interface ExpressionSchema extends ColumnSchema {
  expression: string
  /** Keys of the columns. They have no prefix of an object, because the expression is computed in the object's table. */
  reads: Readonly<Record<string, string>>
}

/** Fields of rows that belong to a row of the table. Reading one joins them, so that a row of the table becomes as many rows. */
export interface JoinedSchema extends ObjectSchema {
  table: TableName
  /** The columns that are equal: of this table, and of the joined one. */
  on: readonly [string, string]
}

export type FieldSchema = ColumnSchema | ObjectSchema | JoinedSchema | ComputedSchema | ExpressionSchema

export interface TableSchema {
  name: TableName
  fields: ReadonlyMap<string, FieldSchema>
  /** The columns of `*`, in order. */
  star: readonly string[]
}

export const isObject = (field: object): field is ObjectSchema => 'fields' in field
export const isJoined = (field: object): field is JoinedSchema => 'on' in field
export const isComputed = (field: object): field is ComputedSchema => 'compute' in field
export const isExpression = (field: object): field is ExpressionSchema => 'expression' in field

/** Returns an object's columns, which are nullable because there may be no such row. */
export const prefixed = (prefix: string, fields: Iterable<readonly [string, FieldSchema]>): ObjectSchema => ({
  fields: new Map([...fields].map(([name, field]) => [name, behind(prefix, field)])),
})

const behind = (prefix: string, field: FieldSchema): FieldSchema =>
  'key' in field ? { ...field, key: `${prefix}__${field.key}`, type: nullable(field.type) } : field

/** Defines columns whose key is their name. */
export const columns = (
  types: Readonly<Record<string, Type>>,
  owner?: PropertyOwner,
): [string, ColumnSchema][] => Object.entries(types).map(([name, type]) => [name, { key: name, type, owner }])
