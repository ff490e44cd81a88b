// From a row to a variable as it is shown.
import type { queryVariables } from '../../../drizzle'
import { shown } from '../../timestamps'
import type { VariableRecord } from './schema'

export const variableRecordFrom = (row: typeof queryVariables.$inferSelect): VariableRecord => ({
  id: row.id,
  name: row.name,
  type: row.type,
  default_value: row.defaultValue,
  created_by: row.createdById,
  created_at: shown(row.createdAt),
  code_name: row.codeName,
  values: row.values,
})
