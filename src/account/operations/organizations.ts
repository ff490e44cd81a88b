import * as z from 'zod'
import { userOf } from '../../auth/actor'
import { eq } from 'drizzle-orm'
import { organizations } from '../../../drizzle'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { listOrganizations } from '../organizations/list'
import { UpdateOrganizationBody, updateOrganization } from '../organizations/update'
import { OrganizationRecord, organizationRecordFrom, selectOrganizations } from '../organization-record'
import { selectTeamsOf } from '../team-record'

const one = '/api/organizations/:organization_id/'

export const listOrganizationsOperation = operation({
  id: 'organizations_list',
  method: 'get',
  path: '/api/organizations/',
  summary: 'List the organizations of the caller',
  description: 'In the order in which they joined.',
  scope: 'organization:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(OrganizationRecord) },
  async handle({ deps, actor, query, url }) {
    const { count, records } = await listOrganizations(deps.db, actor, query)
    return page(url, query, count, records)
  },
})

export const retrieveOrganizationOperation = operation({
  id: 'organizations_retrieve',
  method: 'get',
  path: one,
  summary: 'See an organization',
  scope: 'organization:read',
  responses: { 200: OrganizationRecord, 404: ErrorBody },
  async handle({ deps, actor, organization }) {
    const [[row], teams] = await deps.db.batch([
      selectOrganizations(deps.db, userOf(actor)!.id, eq(organizations.id, organization.id)),
      selectTeamsOf(deps.db, organization.id),
    ])
    // A key that was recognised a moment ago may belong to somebody who has left since.
    if (!row) throw notFound('Organization not found.')
    return organizationRecordFrom(row, teams)
  },
})

export const updateOrganizationOperation = operation({
  id: 'organizations_partial_update',
  method: 'patch',
  path: one,
  summary: 'Change what members of an organization may do',
  description: 'For admins. Fields that are left out stay.',
  scope: 'organization:write',
  recentAuth: true,
  body: UpdateOrganizationBody,
  responses: { 200: OrganizationRecord, 400: ErrorBody, 404: ErrorBody },
  handle: ({ deps, actor, organization, body }) =>
    updateOrganization(deps, userOf(actor)!.id, organization, body),
})
