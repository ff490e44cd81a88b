// Describes the tables and columns that a query may use.
import { FUNCTION_NAMES } from '../../hogql/resolve/expressions/arguments'
import { type FieldSchema, isComputed, isExpression, isObject } from '../../hogql/tables/schema'
import { TABLES } from '../../hogql/tables/tables'
import { columnTypeOf } from '../../hogql/types'
import type { DatabaseSchema, SchemaField } from './query-request'

const byName = (one: string, other: string) => one.toLowerCase().localeCompare(other.toLowerCase(), 'en')

export const databaseSchema = (): DatabaseSchema => ({
  tables: Object.fromEntries(
    Object.entries(TABLES).map(([name, { fields }]) => [
      name,
      {
        id: name,
        name,
        type: 'posthog' as const,
        fields: Object.fromEntries([...fields].map(([field, schema]) => [field, describe(field, schema)])),
      },
    ]),
  ),
  joins: [],
  functions: [...new Set(FUNCTION_NAMES)].toSorted(byName),
})

function describe(name: string, field: FieldSchema): SchemaField {
  const shared = { name, hogql_value: name, schema_valid: true as const }
  if (isObject(field)) return { ...shared, type: 'virtual_table', fields: [...field.fields.keys()] }
  if (isComputed(field) || isExpression(field)) return { ...shared, type: 'expression' }
  return { ...shared, type: columnTypeOf(field.type) }
}
