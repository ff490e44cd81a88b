import * as z from 'zod'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { boolean } from '../../http/fields'
import { operation } from '../../http/operation'
import { deletePerson } from '../delete-person'
import {
  getPerson,
  listPersons,
  personExample,
  PersonPage,
  PersonQuery,
  PersonRecord,
} from '../person-records'
import { listPersonValues, PersonValueQuery, PropertyValue, valueParameters } from '../property-values'

const PATH = '/api/projects/:project_id/persons/'

export const listPersonsOperation = operation({
  id: 'persons_list',
  method: 'get',
  path: PATH,
  summary: 'List the persons of a project',
  description: 'Newest first.',
  scope: 'person:read',
  query: PersonQuery,
  responses: { 200: PersonPage },
  handle: ({ deps, project, query, url }) => listPersons(deps.db, project.id, query, url),
})

export const listPersonsDocs = (): OperationDocs => ({
  parameters: {
    distinct_id: { description: 'Only the person with this distinct id.', example: 'user-3' },
    search: 'The same as `distinct_id`; not another one.',
    cursor: 'From `next` of the page before.',
  },
})

export const retrievePersonOperation = operation({
  id: 'persons_retrieve',
  method: 'get',
  path: `${PATH}:id/`,
  summary: 'Read a person',
  scope: 'person:read',
  params: z.object({ id: z.string() }),
  responses: { 200: PersonRecord },
  handle: ({ deps, project, params }) => getPerson(deps.db, project.id, params.id),
})

export const retrievePersonDocs = (): OperationDocs => ({
  parameters: {
    id: {
      description: 'Uuid or numeric id of the person, not a distinct id: the list finds that.',
      example: personExample().uuid,
    },
  },
  tool: { notFound: 'No person has this uuid or number: persons-list finds a distinct_id.' },
})

const DeletePersonQuery = z.object({ delete_events: boolean().default(false) })

export const destroyPersonOperation = operation({
  id: 'persons_destroy',
  method: 'delete',
  path: `${PATH}:id/`,
  summary: 'Delete a person',
  description:
    'With distinct ids, properties, their history and memberships of cohorts, and on request with all events so far. The person is gone at once; what queries read is deleted in the background, within minutes.',
  scope: 'person:write',
  params: z.object({ id: z.string() }),
  query: DeletePersonQuery,
  responses: { 202: 'empty' },
  async handle({ deps, actor, project, params, query }) {
    await deletePerson({ deps, actor, project }, params.id, { deleteEvents: query.delete_events })
  },
})

export const destroyPersonDocs = (): OperationDocs => ({
  parameters: {
    id: { description: 'Uuid or numeric id of the person.', example: personExample().uuid },
    delete_events: 'Whether events that arrived under the distinct ids are deleted, too.',
  },
  tool: { isDuplicate: true },
})

export const listPersonValuesOperation = operation({
  id: 'persons_values_retrieve',
  method: 'get',
  path: `${PATH}values/`,
  summary: 'List values of a person property',
  description: 'The 20 most frequent among the newest 2,000 persons. Values over 1,024 bytes are left out.',
  scope: 'person:read',
  query: PersonValueQuery,
  responses: { 200: z.array(PropertyValue) },
  handle: ({ deps, project, query }) => listPersonValues(deps.db, project.id, query),
})

export const listPersonValuesDocs = (): OperationDocs => ({
  parameters: valueParameters(),
  tool: { isDuplicate: true },
  sample: { query: { key: 'plan' } },
})
