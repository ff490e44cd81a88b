import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { EventValueQuery, listEventValues, PropertyValue, valueParameters } from '../property-values'

export const listEventValuesOperation = operation({
  id: 'events_values_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/events/values/',
  summary: 'List values of an event property',
  description:
    'The 20 most frequent among the newest 2,000 events of the last 30 days. Values over 1,024 bytes are left out.',
  scope: 'property_definition:read',
  query: EventValueQuery,
  responses: { 200: z.array(PropertyValue) },
  handle: ({ deps, project, query }) => listEventValues(deps, project, query),
})

export const listEventValuesDocs = (): OperationDocs => ({
  parameters: { ...valueParameters(), event_name: 'Only events of this name. Default: all events.' },
  tool: { isDuplicate: true },
  sample: { query: { key: 'amount' } },
})
