import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { type Operation, operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { deleteProject } from '../organizations/delete-project'
import { organizationOf } from '../organizations/organization-read'
import {
  createProject,
  CreateProjectBody,
  getProject,
  listOrganizationProjects,
  listProjects,
  updateProject,
  UpdateProjectBody,
} from '../organizations/organization-projects'
import { contextRuleText, ProjectRecord, timezoneText } from '../organizations/team-record'

const inOrganization = '/api/organizations/:organization_id/projects/'

export const listOrganizationProjectsOperation = operation({
  id: 'organizations_projects_list',
  method: 'get',
  path: inOrganization,
  summary: 'List the projects of an organization',
  scope: 'project:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(ProjectRecord) },
  handle: ({ deps, organization, query, url }) =>
    listOrganizationProjects(deps.db, organization.id, query, url),
})

export const createOrganizationProjectOperation = operation({
  id: 'organizations_projects_create',
  method: 'post',
  path: inOrganization,
  summary: 'Create a project in an organization',
  description: 'For admins, or all members if the organization allows it.',
  scope: 'project:write',
  body: CreateProjectBody,
  responses: { 201: ProjectRecord },
  handle: ({ deps, actor, organization, body }) => createProject(deps, actor, organization, body),
})

const weekText = 'Not stored: weeks begin on Sunday, and another value than 0 is a 400.'

export const createOrganizationProjectDocs = (): OperationDocs => ({
  body: {
    description: 'A new project.',
    fields: {
      name: 'Name, at most 200 characters.',
      timezone: timezoneText,
      require_evaluation_contexts: 'Not supported: true is a 400, because updates set it.',
      week_start_day: weekText,
    },
    example: { name: 'Staging', timezone: 'Europe/London' },
  },
  response: {
    example: {
      id: 2,
      uuid: '019d4845-6280-7195-bfb7-10734986e86c',
      project_id: 2,
      api_token: 'phc_OLeMa61EqJomTEI1JEzO3joOj37HyVaQXekW9LctXb0',
      name: 'Staging',
      ingested_event: false,
      timezone: 'Europe/London',
    },
  },
})

export const listProjectsOperation = operation({
  id: 'projects_list',
  method: 'get',
  path: '/api/projects/',
  summary: 'List your projects',
  description: 'Of all your organizations, by id.',
  scope: 'project:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(ProjectRecord) },
  handle: ({ deps, actor, query, url }) => listProjects(deps.db, actor, query, url),
})

export const createProjectOperation = operation({
  id: 'projects_create',
  method: 'post',
  path: '/api/projects/',
  summary: 'Create a project in your current organization',
  description: 'For admins, or all members if the organization allows it.',
  scope: 'project:write',
  body: CreateProjectBody,
  responses: { 201: ProjectRecord, 404: ErrorBody },
  handle: async ({ deps, actor, body }) =>
    createProject(deps, actor, await organizationOf(deps.db, actor), body),
})

export const createProjectDocs = (): OperationDocs => ({
  tool: { name: 'project-create', omits: ['week_start_day'] },
  response: createOrganizationProjectDocs().response,
})

export const retrieveProjectOperation = operation({
  id: 'projects_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/',
  summary: 'Read a project',
  scope: 'project:read',
  responses: { 200: ProjectRecord },
  handle: ({ deps, project }) => getProject(deps.db, project.id),
})

export const retrieveProjectDocs = (): OperationDocs => ({ tool: { name: 'project-get' } })

export const updateProjectOperation = operation({
  id: 'projects_partial_update',
  method: 'patch',
  path: '/api/projects/:project_id/',
  summary: 'Update the settings of a project',
  description: 'For admins.',
  scope: 'project:write',
  body: UpdateProjectBody,
  responses: { 200: ProjectRecord },
  handle: ({ deps, actor, project, body }) => updateProject(deps, actor, project, body),
})

export const updateProjectDocs = (): OperationDocs => ({
  tool: { name: 'project-settings-update', omits: ['week_start_day'] },
  body: {
    description: 'Fields to change; the others keep their values.',
    fields: {
      name: 'Name, at most 200 characters.',
      timezone: timezoneText,
      require_evaluation_contexts: contextRuleText,
      week_start_day: weekText,
    },
    example: { name: 'Production', timezone: 'Europe/London' },
  },
  response: { example: { name: 'Production', timezone: 'Europe/London' } },
})

export const destroyProjectOperation = operation({
  id: 'projects_destroy',
  method: 'delete',
  path: '/api/projects/:project_id/',
  summary: 'Delete a project',
  description:
    'For admins. The project is gone at once, and nothing brings it back. All of its data is deleted in the background.',
  scope: 'project:write',
  recentAuth: true,
  responses: { 204: 'empty' },
  async handle({ deps, actor, project }) {
    await deleteProject(deps, actor, project)
  },
})

export const destroyProjectDocs = (): OperationDocs => ({
  tool: { isDuplicate: true },
  sample: { path: { project_id: '$PROJECT', environment_id: '$PROJECT' } },
})

/** Terraform's provider reads and changes projects under the path where those of an organization are created. */
const throughOrganization = (one: Operation): Operation => ({
  ...one,
  id: `organizations_${one.id}`,
  path: `${inOrganization}:project_id/`,
})

export const retrieveOrganizationProjectOperation = throughOrganization(retrieveProjectOperation)

export const retrieveOrganizationProjectDocs = (): OperationDocs => ({ tool: { isDuplicate: true } })

export const updateOrganizationProjectOperation = throughOrganization(updateProjectOperation)

export const updateOrganizationProjectDocs = (): OperationDocs => ({
  ...updateProjectDocs(),
  tool: { isDuplicate: true },
})

export const destroyOrganizationProjectOperation = throughOrganization(destroyProjectOperation)

export const destroyOrganizationProjectDocs = (): OperationDocs => destroyProjectDocs()
