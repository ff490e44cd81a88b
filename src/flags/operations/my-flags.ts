import * as z from 'zod'
import { project } from '../../http/docs/examples'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { evaluateMyFlags } from '../evaluate/my-flags'
import { GROUPS_DESCRIPTION } from '../evaluate/reason-codes'
import { definitionExample } from '../examples'
import { definitionFields, describeDefinition } from '../schema'

export const MyFlag = z
  .object({
    feature_flag: z.object(definitionFields),
    value: z.union([z.boolean(), z.string()]),
  })
  .meta({ id: 'MyFlag' })

export const MyFlagDocs = (): SchemaDocs => ({
  description: 'A flag, and its value for the caller.',
  fields: {
    feature_flag: 'The public definition of the flag.',
    ...describeDefinition('feature_flag'),
    value: 'The variant if the caller gets one, else whether the flag is on for them.',
  },
  example: { feature_flag: definitionExample(project.id), value: true },
})

export const myFlagsOperation = operation({
  id: 'feature_flags_my_flags_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/feature_flags/my_flags/',
  summary: 'Evaluate all flags for the caller',
  description: 'For your distinct id; newest flag first. Without archived flags and encrypted payloads.',
  scope: 'feature_flag:read',
  query: z.object({ groups: z.string().optional() }),
  responses: { 200: z.array(MyFlag) },
  handle: (context) => evaluateMyFlags(context, context.query.groups ?? ''),
})

export const myFlagsDocs = (): OperationDocs => ({
  parameters: { groups: GROUPS_DESCRIPTION },
})
