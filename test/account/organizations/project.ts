// A project as responses show it, and the path of its organization.
import { expect } from 'vitest'
import type { Tenant } from '../../support/tenant'

/** The path of a tenant's organization, or of what is under it. */
export const pathOf = ({ organizationId }: Tenant, rest = '') =>
  `/api/organizations/${organizationId}/${rest}`

/** The project of a tenant in records of organizations and users. */
export const team = (tenant: Tenant, fields: Record<string, unknown> = {}) => ({
  id: tenant.projectId,
  uuid: expect.any(String),
  organization: tenant.organizationId,
  project_id: tenant.projectId,
  api_token: tenant.projectToken,
  name: expect.stringMatching(/^Project \d+$/),
  completed_snippet_onboarding: false,
  has_completed_onboarding_for: null,
  ingested_event: false,
  is_demo: false,
  timezone: 'UTC',
  access_control: false,
  ...fields,
})

/** The project of a tenant, as the operations on projects show it. */
export const project = (tenant: Tenant, fields: Record<string, unknown> = {}) => ({
  ...team(tenant),
  require_evaluation_contexts: false,
  ...fields,
})
