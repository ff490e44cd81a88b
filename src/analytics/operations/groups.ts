import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import {
  findGroup,
  FindGroupQuery,
  groupExample,
  GroupPage,
  GroupQuery,
  GroupRecord,
  GroupTypeRecord,
  listGroups,
  listGroupTypes,
} from '../group-records'
import { GroupValueQuery, listGroupValues, PropertyValue, valueParameters } from '../property-values'

const PROJECT = '/api/projects/:project_id/'

export const listGroupTypesOperation = operation({
  id: 'groups_types_list',
  method: 'get',
  path: `${PROJECT}groups_types/`,
  summary: 'List the group types of a project',
  description: 'At most five, by index.',
  scope: 'group:read',
  responses: { 200: z.array(GroupTypeRecord) },
  handle: ({ deps, project }) => listGroupTypes(deps.db, project.id),
})

const typeParameter = () => ({ description: 'Index of the group type, from 0 to 4.', example: 0 })

export const listGroupsOperation = operation({
  id: 'groups_list',
  method: 'get',
  path: `${PROJECT}groups/`,
  summary: 'List the groups of a type',
  description: 'By key.',
  scope: 'group:read',
  query: GroupQuery,
  responses: { 200: GroupPage },
  handle: ({ deps, project, query, url }) => listGroups(deps.db, project.id, query, url),
})

export const listGroupsDocs = (): OperationDocs => ({
  parameters: {
    group_type_index: typeParameter(),
    cursor: 'From `next` of the page before.',
  },
  sample: { query: { group_type_index: '0' } },
})

export const findGroupOperation = operation({
  id: 'groups_find_retrieve',
  method: 'get',
  path: `${PROJECT}groups/find/`,
  summary: 'Read a group',
  scope: 'group:read',
  query: FindGroupQuery,
  responses: { 200: GroupRecord },
  handle: ({ deps, project, query }) => findGroup(deps.db, project.id, query),
})

export const findGroupDocs = (): OperationDocs => ({
  parameters: {
    group_type_index: typeParameter(),
    group_key: { description: 'Key of the group.', example: groupExample().group_key },
  },
  tool: { notFound: 'No group of this type has the key: groups-list has the keys.' },
  sample: { needs: ['a group'], query: { group_type_index: '0', group_key: 'acme' } },
})

export const listGroupValuesOperation = operation({
  id: 'groups_property_values_retrieve',
  method: 'get',
  path: `${PROJECT}groups/property_values/`,
  summary: 'List values of a group property',
  description: 'The 20 most frequent among 2,000 random groups. Values over 1,024 bytes are left out.',
  scope: 'group:read',
  query: GroupValueQuery,
  responses: { 200: z.array(PropertyValue) },
  handle: ({ deps, project, query }) => listGroupValues(deps.db, project.id, query),
})

export const listGroupValuesDocs = (): OperationDocs => ({
  parameters: { group_type_index: typeParameter(), ...valueParameters() },
  tool: { isDuplicate: true },
  sample: { needs: ['a group'], query: { group_type_index: '0', key: 'plan' } },
})
