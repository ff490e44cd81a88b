import * as z from 'zod'
import { userOf } from '../../auth/actor'
import { pageQuery } from '../../http/fields'
import type { OperationDocs } from '../../http/docs/operation-docs'
import { operation } from '../../http/operation'
import { pageOf } from '../../http/pagination'
import { getOrganization, listOrganizations } from '../organizations/organization-read'
import {
  noSecondFactor,
  UpdateOrganizationBody,
  updateOrganization,
} from '../organizations/organization-update'
import { OrganizationRecord, settingFields } from '../organizations/organization-record'

const one = '/api/organizations/:organization_id/'

export const listOrganizationsOperation = operation({
  id: 'organizations_list',
  method: 'get',
  path: '/api/organizations/',
  summary: 'List your organizations',
  description: 'In the order of joining.',
  scope: 'organization:read',
  query: z.object(pageQuery),
  responses: { 200: pageOf(OrganizationRecord) },
  handle: ({ deps, actor, query, url }) => listOrganizations(deps.db, actor, query, url),
})

export const retrieveOrganizationOperation = operation({
  id: 'organizations_retrieve',
  method: 'get',
  path: one,
  summary: 'Read an organization',
  scope: 'organization:read',
  responses: { 200: OrganizationRecord },
  handle: ({ deps, actor, organization }) => getOrganization(deps.db, userOf(actor)!.id, organization.id),
})

export const updateOrganizationOperation = operation({
  id: 'organizations_partial_update',
  method: 'patch',
  path: one,
  summary: 'Update the settings of an organization',
  description: 'For admins.',
  scope: 'organization:write',
  recentAuth: true,
  body: UpdateOrganizationBody,
  responses: { 200: OrganizationRecord },
  handle: ({ deps, actor, organization, body }) => updateOrganization(deps, actor, organization, body),
})

export const updateOrganizationDocs = (): OperationDocs => ({
  body: {
    description: 'Fields to change; the others keep their values.',
    fields: { name: 'Name, at most 64 characters. The slug stays.', ...settingFields() },
    example: { members_can_invite: true, is_ai_data_processing_approved: true },
  },
  errors: { 400: { 'The caller has no second factor': noSecondFactor() } },
})
