// Definitions of captured events and properties.
import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { boolean, text } from '../../http/fields'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import {
  EXAMPLE_DEFINITION_ID,
  EventDefinitionRecord,
  eventRecord,
  PropertyDefinitionRecord,
  propertyRecord,
} from '../property-definitions/definition-record'
import {
  EventQuery,
  listEvents,
  listProperties,
  PropertyQuery,
} from '../property-definitions/list-definitions'
import { MAX_TAGS } from '../../tags'
import { type DefinitionOwner, PROPERTY_TYPES } from '../property-definitions/property-type'
import { getDefinition, updateDefinition } from '../property-definitions/update-definition'

const PROPERTIES = '/api/projects/:project_id/property_definitions/'
const EVENTS = '/api/projects/:project_id/event_definitions/'

const params = z.object({ id: z.string() })
const isEvent = (owner: DefinitionOwner) => owner === 'event_name'
const isProperty = (owner: DefinitionOwner) => owner !== 'event_name'

const changes = {
  description: text({ max: 5000, blank: true }).optional(),
  tags: z
    .array(text({ max: 255, blank: true }))
    .max(MAX_TAGS)
    .optional(),
  verified: boolean().optional(),
  hidden: boolean().optional(),
}
const changesDocs = {
  description: 'What it is for, at most 5,000 characters. Default: unchanged.',
  tags: 'At most 100 tags of at most 255 characters; they replace all. Default: unchanged.',
  verified: 'Marks it as verified, and shows a hidden one. Default: unchanged.',
  hidden: 'Hides it, and it is no longer verified. Default: unchanged.',
}
const listDocs = {
  search: 'Words that the name contains, case-insensitive for ASCII. At most 200 characters.',
  verified: 'Only verified ones, or only others. Default: all.',
  exclude_hidden: 'Whether hidden ones are left out. Default false.',
}

export const listPropertyDefinitionsOperation = operation({
  id: 'property_definitions_list',
  method: 'get',
  path: PROPERTIES,
  summary: 'List the properties of events, persons or groups',
  description: 'Sorted by name.',
  scope: 'property_definition:read',
  query: PropertyQuery,
  responses: { 200: pageOf(PropertyDefinitionRecord) },
  handle: ({ deps, project, query, url }) => listProperties(deps.db, project.id, query, url),
})

export const listPropertyDefinitionsDocs = (): OperationDocs => ({
  parameters: {
    ...listDocs,
    type: 'Owner of the properties. Default `event`.',
    group_type_index: 'With `type=group`: index of the group type, from 0 to 4. Default: all group types.',
    properties: {
      description: 'Names of properties, separated by commas, or a JSON list.',
      example: 'amount,plan',
    },
    excluded_properties: 'Names of properties to leave out, separated by commas, or a JSON list.',
    is_numerical: 'True for numbers only, false for all other types. Default: all types.',
    is_feature_flag: 'True for properties `$feature/…` only, false for all others. Default: all.',
    event_names: 'No effect.',
    filter_by_event_names: 'Not supported: true is a 400.',
  },
})

export const retrievePropertyDefinitionOperation = operation({
  id: 'property_definitions_retrieve',
  method: 'get',
  path: `${PROPERTIES}:id/`,
  summary: 'Read the definition of a property',
  scope: 'property_definition:read',
  params,
  responses: { 200: PropertyDefinitionRecord },
  handle: async (context) =>
    propertyRecord(await getDefinition(context.deps.db, context.project.id, context.params.id, isProperty)),
})

const propertyParameter = () => ({
  id: {
    description: 'Id of the property definition.',
    example: EXAMPLE_DEFINITION_ID,
  },
})

export const retrievePropertyDefinitionDocs = (): OperationDocs => ({ parameters: propertyParameter() })

export const updatePropertyDefinitionOperation = operation({
  id: 'property_definitions_partial_update',
  method: 'patch',
  path: `${PROPERTIES}:id/`,
  summary: 'Change the definition of a property',
  description:
    'Its type, for one whose first value was not typical: queries change; stored events stay the same. Its description, tags and marks.',
  scope: 'property_definition:write',
  params,
  body: z.object({ property_type: z.enum(PROPERTY_TYPES).optional(), ...changes }),
  responses: { 200: PropertyDefinitionRecord },
  handle: async (context) =>
    propertyRecord(await updateDefinition(context, context.params.id, context.body, isProperty)),
})

export const updatePropertyDefinitionDocs = (): OperationDocs => ({
  parameters: propertyParameter(),
  body: {
    description: 'Fields to change.',
    fields: { property_type: 'Type of the values in queries. Default: unchanged.', ...changesDocs },
    example: { property_type: 'Numeric' },
  },
})

export const listEventDefinitionsOperation = operation({
  id: 'event_definitions_list',
  method: 'get',
  path: EVENTS,
  summary: 'List the names of captured events',
  description: 'Sorted by name.',
  scope: 'event_definition:read',
  query: EventQuery,
  responses: { 200: pageOf(EventDefinitionRecord) },
  handle: ({ deps, project, query, url }) => listEvents(deps.db, project.id, query, url),
})

export const listEventDefinitionsDocs = (): OperationDocs => ({
  tool: { fieldsAs: 'property-definitions-list' },
  parameters: {
    ...listDocs,
    names: {
      description: 'Names of events, separated by commas, or a JSON list.',
      example: 'purchase,$pageview',
    },
  },
})

export const retrieveEventDefinitionOperation = operation({
  id: 'event_definitions_retrieve',
  method: 'get',
  path: `${EVENTS}:id/`,
  summary: 'Read the definition of an event',
  scope: 'event_definition:read',
  params,
  responses: { 200: EventDefinitionRecord },
  handle: async (context) =>
    eventRecord(await getDefinition(context.deps.db, context.project.id, context.params.id, isEvent)),
})

const eventParameter = () => ({
  id: {
    description: 'Id of the event definition.',
    example: EXAMPLE_DEFINITION_ID,
  },
})

export const retrieveEventDefinitionDocs = (): OperationDocs => ({
  parameters: eventParameter(),
})

export const updateEventDefinitionOperation = operation({
  id: 'event_definitions_partial_update',
  method: 'patch',
  path: `${EVENTS}:id/`,
  summary: 'Describe an event',
  description: 'Its description, tags and marks. Captured events stay the same.',
  scope: 'event_definition:write',
  params,
  body: z.object(changes),
  responses: { 200: EventDefinitionRecord },
  handle: async (context) =>
    eventRecord(await updateDefinition(context, context.params.id, context.body, isEvent)),
})

export const updateEventDefinitionDocs = (): OperationDocs => ({
  parameters: eventParameter(),
  body: {
    description: 'Fields to change.',
    fields: changesDocs,
    example: { description: 'An order was paid', tags: ['checkout'], verified: true },
  },
  tool: { fieldsAs: 'property-definitions-partial-update' },
})
