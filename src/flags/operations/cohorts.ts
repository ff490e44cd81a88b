// Operations that write cohorts.
import * as z from 'zod'
import { ActivityPage } from '../../activity/entry'
import { readItemPage } from '../../activity/list'
import { activityParameters, ActivityQuery } from '../../activity/page'
import { CohortRecord, selectCohortRecords } from '../cohorts/cohort-record'
import { cohortOf } from '../cohorts/read-cohorts'
import { notFound } from '../../errors'
import type { OperationDocs, SchemaDocs } from '../../http/docs/operation-docs'
import { boolean, dictionary, falseOnCreate, id, text } from '../../http/fields'
import { operation, putOf } from '../../http/operation'

// The code is loaded on demand, because an isolate that serves flags does not need it.
const writes = () => import('../cohorts/write-cohort')
const uses = () => import('../cohorts/cohort-uses')

const PATH = '/api/projects/:project_id/cohorts/'
/** Fields that a form sends as JSON. The others are text. */
const FORM = ['filters', 'groups', '_create_static_person_ids']

export const CohortBody = z
  .object({
    name: text({ max: 400, blank: true }).nullish(),
    description: text({ max: 1000, blank: true }).optional(),
    filters: dictionary().nullish(),
    groups: z.array(z.unknown()).nullish(),
    is_static: boolean().optional(),
    csv: z.string().nullish(),
    _create_static_person_ids: z.array(z.guid({ error: 'Must be a valid UUID.' })).optional(),
    query: z.unknown().optional(),
    deleted: falseOnCreate('A new cohort cannot be deleted. Create it, and send deleted by PATCH.'),
  })
  .meta({ id: 'CohortBody' })

export const CohortBodyDocs = (): SchemaDocs => ({
  description: 'A cohort to create.',
  fields: { ...bodyFields(), deleted: 'Not supported: true is a 400, because updates delete.' },
  example: dynamicExample(),
})

export const CohortUpdate = CohortBody.extend({ deleted: boolean().optional() }).meta({ id: 'CohortUpdate' })

export const CohortUpdateDocs = (): SchemaDocs => ({
  description: 'Fields of a cohort to change; absent ones stay the same.',
  fields: {
    ...bodyFields(),
    deleted:
      'True deletes the cohort, false restores it. One that active flags or other cohorts use cannot be deleted.',
  },
  example: dynamicExample(),
})

const bodyFields = () => ({
  name: 'Name of the cohort, at most 400 characters. Null and default: empty.',
  description: 'Purpose of the cohort, at most 1,000 characters. Default empty.',
  filters:
    'Conditions of a dynamic cohort: `properties` is a group `{type: "AND" | "OR", values}` of groups and conditions. A condition is on a person property (`type` `person`, `key`, `operator`, `value`), or on membership in another cohort (`type` `cohort`, `value` its id); `negation` inverts it. Required for a dynamic cohort.',
  groups:
    'An earlier form of conditions: lists of `properties`, any of which suffices. Stored as `filters`; not with them.',
  is_static: 'True for a list of persons, false for conditions. Cannot be changed later. Default false.',
  csv: 'Persons to add to a static cohort, at most 10,000: a CSV file as text, or as a file of a form (`multipart/form-data`). One distinct id a line, or a column `distinct_id` or `person_id`. The response lists unknown ids.',
  _create_static_person_ids:
    'Uuids of persons to add to a static cohort, at most 10,000, and not distinct ids, which `csv` takes; not with `csv`.',
  query: 'Not supported: anything but null is a 400.',
})

const dynamicExample = () => ({
  name: 'Customers on pro',
  filters: {
    properties: {
      type: 'OR',
      values: [
        { type: 'AND', values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['pro', 'team'] }] },
      ],
    },
  },
})

const recordExample = () => ({ ...dynamicExample(), is_static: false, count: null, last_calculation: null })

export const createCohortOperation = operation({
  id: 'cohorts_create',
  method: 'post',
  path: PATH,
  summary: 'Create a cohort',
  description:
    'A dynamic cohort has the persons that meet its conditions, at any time. A static cohort has a list of persons.',
  scope: 'cohort:write',
  body: CohortBody,
  form: FORM,
  responses: { 201: CohortRecord },
  handle: async (context) => (await writes()).createCohort(context, context.body),
})

export const createCohortDocs = (): OperationDocs => ({
  body: { isRequired: true },
  response: { example: recordExample() },
})

export const patchCohortOperation = operation({
  id: 'cohorts_partial_update',
  method: 'patch',
  path: `${PATH}:id/`,
  summary: 'Change, delete or restore a cohort',
  description: 'Flags use the new conditions at once. A list of persons is added to a static cohort.',
  scope: 'cohort:write',
  params: z.object({ id: id() }),
  body: CohortUpdate,
  form: FORM,
  responses: { 200: CohortRecord },
  handle: async (context) => (await writes()).updateCohort(context, context.params.id, context.body),
})

export const cohortParameter = () => ({ id: { description: 'Id of the cohort.', example: 1 } })

export const patchCohortDocs = (): OperationDocs => ({
  parameters: cohortParameter(),
  response: { example: recordExample() },
  tool: { fieldsAs: 'cohorts-create' },
})

export const putCohortOperation = putOf(patchCohortOperation, 'cohorts_update', 'Change a cohort')

export const putCohortDocs = (): OperationDocs => ({ ...patchCohortDocs(), tool: { isDuplicate: true } })

const CohortUses = z
  .object({
    flags: z.array(z.object({ id: z.int(), key: z.string(), name: z.string(), active: z.boolean() })),
    cohorts: z.array(z.object({ id: z.int(), name: z.string() })),
    endpoints: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({ id: 'CohortUses' })

export const listCohortUsesOperation = operation({
  id: 'cohorts_uses_retrieve',
  method: 'get',
  path: `${PATH}:id/uses/`,
  summary: 'List what uses a cohort',
  description: 'Flags, other cohorts, and the current versions of saved queries: at most 100 of each.',
  scope: 'cohort:read',
  params: z.object({ id: id() }),
  responses: { 200: CohortUses },
  handle: async (context) => (await uses()).listCohortUses(context, context.params.id),
})

export const listCohortUsesDocs = (): OperationDocs => ({
  parameters: cohortParameter(),
  response: {
    description: 'What uses a cohort.',
    fields: {
      flags: 'Flags with a condition on the cohort, by key; inactive ones too.',
      'flags.id': 'Id of the flag.',
      'flags.key': 'Key of the flag.',
      'flags.name': 'Description of the flag.',
      'flags.active': 'Whether the flag is active.',
      cohorts: 'Cohorts with a condition on it, by name.',
      'cohorts.id': 'Id of the cohort.',
      'cohorts.name': 'Name of the cohort.',
      endpoints: 'Saved queries whose current version names it, by name.',
      'endpoints.id': 'Id of the saved query.',
      'endpoints.name': 'Name of the saved query.',
    },
    example: {
      flags: [{ id: 1, key: 'new-checkout', name: 'The new checkout', active: true }],
    },
  },
  // The tools of MCP leave this out, because lists of flags, cohorts and saved queries show as much.
  tool: { isDuplicate: true },
})

export const listCohortActivityOperation = operation({
  id: 'cohorts_activity_retrieve',
  method: 'get',
  path: `${PATH}:id/activity/`,
  summary: 'List the changes of a cohort',
  description: 'Newest first; for deleted cohorts too.',
  scope: 'activity_log:read',
  params: z.object({ id: id() }),
  query: ActivityQuery,
  responses: { 200: ActivityPage },
  async handle({ deps, project, params, query, url }) {
    const selection = { projectId: project.id, scope: 'Cohort' as const, itemId: String(params.id) }
    const cohort = selectCohortRecords(deps.db, cohortOf(project.id, params.id))
    const page = await readItemPage(deps, url, selection, query, cohort)
    if (!page) throw notFound()
    return page
  },
})

export const listCohortActivityDocs = (): OperationDocs => ({
  // The tools of MCP leave this out, because the activity log of the project has these entries too.
  tool: { isDuplicate: true },
  parameters: { ...cohortParameter(), ...activityParameters() },
})
