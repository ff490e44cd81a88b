// Records and bodies of variables, which the queries of a project share.
import * as z from 'zod'
import type { SchemaDocs } from '../../http/docs/operation-docs'
import { ada } from '../../http/docs/examples'
import { dateTime, text } from '../../http/fields'
import { VARIABLE_TYPES } from '../query/query-types'
import { jsonBytes } from '../../json-bytes'
import type { queryVariables } from '../../../drizzle'
import { toApiTimestamp } from '../../timestamps'

/** Maximum bytes of the JSON of a value: lists show many variables, and a run reads the values of all variables of its query. */
export const MAX_VALUE_BYTES = 65_536

const withinBytes = [
  (value: unknown) => jsonBytes(value) <= MAX_VALUE_BYTES,
  {
    error: `Ensure this field has no more than ${MAX_VALUE_BYTES} bytes of JSON.`,
    params: { code: 'max_length' },
  },
] as const

const writableFields = {
  name: text({ max: 400 }),
  type: z.enum(VARIABLE_TYPES),
  default_value: z.unknown().refine(...withinBytes),
  values: z
    .array(z.unknown())
    .nullable()
    .refine(...withinBytes),
}

export const CreateVariableBody = z
  .object({
    ...writableFields,
    default_value: writableFields.default_value.optional().meta({ default: null }),
    values: writableFields.values.optional().meta({ default: null }),
  })
  .meta({ id: 'CreateInsightVariable' })
export type CreateVariableBody = z.output<typeof CreateVariableBody>

export const UpdateVariableBody = z.object(writableFields).partial().meta({ id: 'UpdateInsightVariable' })
export type UpdateVariableBody = z.output<typeof UpdateVariableBody>

const VALUE_DOCS =
  'text, a number, a boolean, a list, or a date (`2026-03-31`), by the type. Null stands for SQL NULL'

const sharedFieldDocs = () => ({
  type: 'Type of the values in a query: numbers and booleans may be sent as text, a Date is ISO 8601, a List is a list of texts for IN, and one of them elsewhere.',
  values: 'Choices of a List, for a user interface; null where there are none. Runs accept any value.',
})

export const variableExample = () => ({
  id: '019d4d7e-0e00-7232-b37a-1abff431a73f',
  name: 'Event name',
  type: 'String',
  default_value: '$pageview',
  created_by: ada.id,
  created_at: '2026-04-02T09:20:00Z',
  code_name: 'event_name',
  values: null,
})

export const CreateVariableBodyDocs = (): SchemaDocs => ({
  description: 'A new variable. `name` and `type` are required.',
  fields: {
    ...sharedFieldDocs(),
    name: 'Display name, at most 400 characters, with at least one letter or digit. `code_name` is derived from it: in lower case, spaces as `_`, all but letters and digits removed. It is unique in the project.',
    default_value: `Value where neither the run nor the query has one: ${VALUE_DOCS}. Default null.`,
    values: `${sharedFieldDocs().values} Default null.`,
  },
  example: { name: 'Event name', type: 'String', default_value: '$pageview' },
})

export const UpdateVariableBodyDocs = (): SchemaDocs => ({
  description: 'Fields to change; the others keep their values.',
  fields: {
    ...sharedFieldDocs(),
    name: 'Display name, at most 400 characters. `code_name` does not change.',
    default_value: `Value where neither the run nor the query has one: ${VALUE_DOCS}. Queries keep the values they store.`,
  },
  example: { default_value: '$pageleave' },
})

export const VariableRecordDocs = (): SchemaDocs => ({
  description:
    'A variable for the queries of a project. A query stores its own value: the default at the time it was written.',
  fields: {
    ...sharedFieldDocs(),
    id: 'Id of the variable. Read-only.',
    name: 'Display name.',
    default_value: `Value where neither the run nor the query has one: ${VALUE_DOCS}.`,
    created_by: 'Id of the user who created it; null when it was no user. Read-only.',
    created_at: 'Time of creation (ISO 8601, UTC, microseconds). Read-only.',
    code_name: 'Name in a query: `{variables.code_name}`. Derived from the first name. Read-only.',
  },
  example: variableExample(),
})

export const VariableRecord = z
  .object({
    id: z.uuid(),
    ...writableFields,
    name: z.string(),
    created_by: z.int().nullable(),
    created_at: dateTime(),
    code_name: z.string(),
  })
  .meta({ id: 'InsightVariable' })
export type VariableRecord = z.output<typeof VariableRecord>

export const VariablePath = z.object({ id: z.string() })

export const variableRecordFrom = (row: typeof queryVariables.$inferSelect): VariableRecord => ({
  id: row.id,
  name: row.name,
  type: row.type,
  default_value: row.defaultValue,
  created_by: row.createdById,
  created_at: toApiTimestamp(row.createdAt),
  code_name: row.codeName,
  values: row.values,
})
