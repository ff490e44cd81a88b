import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { correctType } from '../property-definitions/correct-type'
import { DefinitionQuery, listDefinitions } from '../property-definitions/list-definitions'
import { definitionRecord, PropertyDefinitionRecord } from '../property-definitions/definition-record'
import { PROPERTY_TYPES } from '../property-definitions/property-type'

const PATH = '/api/projects/:project_id/property_definitions/'

export const listPropertyDefinitionsOperation = operation({
  id: 'property_definitions_list',
  method: 'get',
  path: PATH,
  summary: 'List the properties of events, persons or groups',
  description: 'Sorted by name.',
  scope: 'property_definition:read',
  query: DefinitionQuery,
  responses: { 200: pageOf(PropertyDefinitionRecord), 400: ErrorBody },
  handle: ({ deps, project, query, url }) => listDefinitions(deps.db, project.id, query, url),
})

export const listPropertyDefinitionsDocs = (): OperationDocs => ({
  parameters: {
    type: 'Owner of the properties. Default `event`.',
    group_type_index: 'With `type=group`: index of the group type, from 0 to 4. Default: all group types.',
    search: 'Words that the name contains, case-insensitive. At most 1,000 characters.',
    properties: { description: 'Names of properties, separated by commas.', example: 'amount,plan' },
    is_numerical: 'True for numbers only, false for all other types. Default: all types.',
  },
})

export const updatePropertyDefinitionOperation = operation({
  id: 'property_definitions_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Correct the type of a property',
  description:
    'For a property whose first value was not typical. Queries change; stored events stay the same.',
  scope: 'property_definition:write',
  params: z.object({ id: z.string() }),
  body: z.object({ property_type: z.enum(PROPERTY_TYPES).optional() }),
  responses: { 200: PropertyDefinitionRecord, 400: ErrorBody, 404: ErrorBody },
  handle: (context) => correctType(context, context.params.id, context.body.property_type),
})

export const updatePropertyDefinitionDocs = (): OperationDocs => ({
  parameters: {
    id: {
      description: 'Id of the property definition.',
      example: definitionRecord({ owner: 'event', name: 'amount', type: 'Numeric' }).id,
    },
  },
  body: {
    description: 'Fields to change.',
    fields: { property_type: 'Type of the values in queries. Default: unchanged.' },
    example: { property_type: 'Numeric' },
  },
})
