// Variables on the wire. Upstream keeps them apart from queries, for all queries of a project to share.
import * as z from 'zod'
import { dateTime, text } from '../../http/fields'
import { VARIABLE_TYPES } from '../query/shape'

const writableFields = {
  name: text({ max: 400 }),
  type: z.enum(VARIABLE_TYPES),
  default_value: z.unknown(),
  values: z.array(z.unknown()).nullable(),
}

export const CreateVariableBody = z
  .object({
    ...writableFields,
    default_value: writableFields.default_value.optional(),
    values: writableFields.values.optional(),
  })
  .meta({ id: 'CreateInsightVariable' })
export type CreateVariableBody = z.output<typeof CreateVariableBody>

export const UpdateVariableBody = z.object(writableFields).partial().meta({ id: 'UpdateInsightVariable' })
export type UpdateVariableBody = z.output<typeof UpdateVariableBody>

export const VariableRecord = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.enum(VARIABLE_TYPES),
    default_value: z.unknown(),
    created_by: z.int().nullable(),
    created_at: dateTime(),
    code_name: z.string(),
    values: z.array(z.unknown()).nullable(),
  })
  .meta({ id: 'InsightVariable' })
export type VariableRecord = z.output<typeof VariableRecord>

/** The path of one variable. Any text may stand there; what is no id names nothing. */
export const VariablePath = z.object({ id: z.string() })
