import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { correctType } from '../correct-type'
import { PropertyDefinitionRecord } from '../property-definition-record'
import { PROPERTY_TYPES } from '../property-type'

export const updatePropertyDefinitionOperation = operation({
  id: 'property_definitions_partial_update',
  method: 'patch',
  path: '/api/projects/:project_id/property_definitions/:id/',
  summary: 'Correct the type of a property',
  description:
    'For a property whose first value was not like the others. Events stay as they are: only what queries make of them changes.',
  scope: 'property_definition:write',
  params: z.object({ id: z.string() }),
  body: z.object({ property_type: z.enum(PROPERTY_TYPES).optional() }),
  responses: { 200: PropertyDefinitionRecord, 400: ErrorBody, 404: ErrorBody },
  handle: (context) => correctType(context, context.params.id, context.body.property_type),
})
