// Members of cohorts.
import * as z from 'zod'
import { PersonPage } from '../../analytics/person-records'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { digits, id, pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { cohortParameter } from './cohorts'

// The code is loaded on demand, because an isolate that serves flags does not need it.
const members = () => import('../cohorts/members')
const memberList = () => import('../cohorts/list-members')

const PATH = '/api/projects/:project_id/cohorts/:id/'

export const listMembersOperation = operation({
  id: 'cohorts_persons_retrieve',
  method: 'get',
  path: `${PATH}persons/`,
  summary: 'List the members of a cohort',
  description:
    'Newest first, as flags evaluate the cohort. A request examines 2,500 persons for a dynamic cohort: a page may be empty while `next` is set.',
  scope: 'person:read',
  params: z.object({ id: id() }),
  query: z.object({ cursor: digits({ min: 1 }).optional(), limit: pageQuery.limit }),
  responses: { 200: PersonPage },
  handle: async (context) =>
    (await memberList()).listMembers(context, context.params.id, context.query, context.url),
})

export const listMembersDocs = (): OperationDocs => ({
  parameters: { ...cohortParameter(), cursor: 'From `next` of the page before.' },
  // The tools of MCP leave this out, because a saved query reads the members.
  tool: { isDuplicate: true },
  sample: { needs: ['PERSON'] },
})

const Success = z.object({ success: z.literal(true) })

export const addPersonsOperation = operation({
  id: 'cohorts_add_persons_to_static_cohort_partial_update',
  method: 'patch',
  path: `${PATH}add_persons_to_static_cohort/`,
  summary: 'Add persons to a static cohort',
  scope: 'cohort:write',
  params: z.object({ id: id() }),
  body: z.object({ person_ids: z.array(z.guid({ error: 'Must be a valid UUID.' })).max(10_000) }),
  responses: { 200: Success.extend({ unknown_ids: z.array(z.string()).optional() }) },
  async handle(context) {
    const unknown = await (await members()).addMembers(context, context.params.id, context.body.person_ids)
    return { success: true, ...(unknown.length > 0 ? { unknown_ids: [...unknown] } : {}) }
  },
})

const PERSON = '019d4d6b-2c10-7a55-8f0e-4b9d1c6e7a21'
const done = { description: 'Done.', fields: { success: 'Always true.' }, example: { success: true } }

export const addPersonsDocs = (): OperationDocs => ({
  parameters: cohortParameter(),
  body: {
    description: 'Persons to add.',
    fields: {
      person_ids: 'Uuids of persons, at most 10,000, and not distinct ids, which `csv` of the cohort takes.',
    },
    example: { person_ids: [PERSON] },
  },
  response: {
    ...done,
    fields: { ...done.fields, unknown_ids: 'Ids that no person has. Absent where all are known.' },
  },
  sample: {
    needs: ['PERSON', 'a static cohort'],
    body: { person_ids: ['$PERSON'] },
  },
})

export const removePersonOperation = operation({
  id: 'cohorts_remove_person_from_static_cohort_partial_update',
  method: 'patch',
  path: `${PATH}remove_person_from_static_cohort/`,
  summary: 'Remove a person from a static cohort',
  scope: 'cohort:write',
  params: z.object({ id: id() }),
  body: z.object({ person_id: z.guid({ error: 'Must be a valid UUID.' }) }),
  responses: { 200: Success },
  async handle(context) {
    await (await members()).removeMember(context, context.params.id, context.body.person_id)
    return { success: true }
  },
})

export const removePersonDocs = (): OperationDocs => ({
  tool: { name: 'cohorts-rem-person-from-static-cohort-partial-update' },
  parameters: cohortParameter(),
  body: {
    description: 'The person to remove.',
    fields: { person_id: 'Uuid of the person.' },
    example: { person_id: PERSON },
  },
  response: done,
  sample: { needs: ['PERSON', 'a static cohort'], body: { person_id: '$PERSON' } },
})
