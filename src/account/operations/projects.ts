import { eq, inArray } from 'drizzle-orm'
import * as z from 'zod'
import { memberships, projects } from '../../../drizzle'
import { userOf } from '../../auth/actor'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { organizationOf } from '../current-organization'
import { membershipsInReach } from '../memberships-in-reach'
import { createProject, CreateProjectBody, selectProjectPage } from '../organizations/projects'
import { selectTeams, TeamRecord, teamRecordFrom } from '../team-record'

const inOrganization = '/api/organizations/:organization_id/projects/'

export const listOrganizationProjectsOperation = operation({
  id: 'organizations_projects_list',
  method: 'get',
  path: inOrganization,
  summary: 'List the projects of an organization',
  scope: 'project:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(TeamRecord), 404: ErrorBody },
  async handle({ deps, organization, query, url }) {
    const [counts, rows] = await deps.db.batch(
      selectProjectPage(deps.db, (id) => eq(id, organization.id), query),
    )
    return page(url, query, counts[0]?.total ?? 0, rows.map(teamRecordFrom))
  },
})

export const createOrganizationProjectOperation = operation({
  id: 'organizations_projects_create',
  method: 'post',
  path: inOrganization,
  summary: 'Add a project to an organization',
  description: 'For admins, and for every member where the organization lets them.',
  scope: 'project:write',
  body: CreateProjectBody,
  responses: { 201: TeamRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, organization, body }) => createProject(deps, userOf(actor)!.id, organization, body),
})

export const listProjectsOperation = operation({
  id: 'projects_list',
  method: 'get',
  path: '/api/projects/',
  summary: 'List the projects of the caller',
  description: 'Of all their organizations, by id.',
  scope: 'project:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(TeamRecord) },
  async handle({ deps, actor, query, url }) {
    const mine = deps.db
      .select({ id: memberships.organizationId })
      .from(memberships)
      .where(membershipsInReach(actor))
    const [counts, rows] = await deps.db.batch(selectProjectPage(deps.db, (id) => inArray(id, mine), query))
    return page(url, query, counts[0]?.total ?? 0, rows.map(teamRecordFrom))
  },
})

export const createProjectOperation = operation({
  id: 'projects_create',
  method: 'post',
  path: '/api/projects/',
  summary: 'Add a project to the organization that the caller works in',
  description: 'For admins, and for every member where the organization lets them.',
  scope: 'project:write',
  body: CreateProjectBody,
  responses: { 201: TeamRecord, 400: ErrorBody, 404: ErrorBody },
  handle: async ({ deps, actor, body }) =>
    createProject(deps, userOf(actor)!.id, await organizationOf(deps.db, actor), body),
})

export const retrieveProjectOperation = operation({
  id: 'projects_retrieve',
  method: 'get',
  path: '/api/projects/:project_id/',
  summary: 'See a project',
  scope: 'project:read',
  responses: { 200: TeamRecord, 404: ErrorBody },
  async handle({ deps, project }) {
    const [row] = await selectTeams(deps.db, eq(projects.id, project.id))
    return teamRecordFrom(row!)
  },
})
