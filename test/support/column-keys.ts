import type { TableName } from '../../src/hogql/ir'
import { type FieldSchema, isComputed, isExpression, isJoined, isObject } from '../../src/hogql/tables/schema'
import { TABLES } from '../../src/hogql/tables/tables'
import type { Type } from '../../src/hogql/types'

/** Keys and types of the columns that a printer must support. */
export function columnKeysOf(table: TableName): ReadonlyMap<string, Type> {
  const keys = new Map<string, Type>()
  const add = (field: FieldSchema): void => {
    if (isJoined(field)) return
    if (isObject(field)) for (const inner of field.fields.values()) add(inner)
    else if (!isComputed(field) && !isExpression(field)) keys.set(field.key, field.type)
  }
  for (const field of TABLES[table].fields.values()) add(field)
  return keys
}
