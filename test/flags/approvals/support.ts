// Policies, people and change requests of tests.
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { memberships, projects } from '../../../drizzle'
import type { Level } from '../../../src/auth/actor'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'

export type Json = Record<string, unknown>

export const policies = ({ projectId }: Tenant, rest = '') =>
  `/api/projects/${projectId}/approval_policies/${rest}${rest === '' ? '' : '/'}`
export const requests = ({ projectId }: Pick<Tenant, 'projectId'>, rest = '') =>
  `/api/projects/${projectId}/change_requests/${rest}${rest === '' ? '' : '/'}`

/** Another member of the tenant's organization, whose calls go to the tenant's project. */
export async function colleague(tenant: Tenant, level: Level = 1): Promise<Tenant> {
  const other = await createTenant({ harness: tenant, level })
  await database()
    .update(memberships)
    .set({ organizationId: tenant.organizationId })
    .where(eq(memberships.userId, other.user.id))
  await database()
    .update(projects)
    .set({ organizationId: tenant.organizationId })
    .where(eq(projects.id, other.projectId))
  const flags = (rest: string | number = '') => tenant.flags(rest)
  return { ...other, organizationId: tenant.organizationId, projectId: tenant.projectId, flags }
}

/** An admin with a project, and two members who may approve. */
export async function team(on?: Tenant) {
  const tenant = on ?? (await createTenant())
  await setLevel(tenant, 8)
  const [grace, linus] = [await colleague(tenant), await colleague(tenant)]
  return { tenant, grace, linus }
}

export async function policy(tenant: Tenant, users: Tenant[], body: Json = {}) {
  const { quorum = 1, ...rest } = body
  const response = await tenant.post(policies(tenant), {
    action_key: 'feature_flag.update',
    approver_config: { quorum, users: users.map(({ user }) => user.id) },
    ...rest,
  })
  expect(response).toMatchObject({ status: 201 })
  return response.body
}

/** The id of the request that an update becomes. */
export async function held(tenant: Tenant, flagId: number, body: Json): Promise<string> {
  const response = await tenant.patch(tenant.flags(flagId), body)
  expect(response).toMatchObject({ status: 409, body: { code: 'approval_required' } })
  return response.body.change_request_id
}

export const approve = (voter: Tenant, id: string, body: Json = {}) =>
  voter.post(requests(voter, `${id}/approve`), body)
export const requestOf = async (tenant: Tenant, id: string) => (await tenant.get(requests(tenant, id))).body
export const flagOf = async (tenant: Tenant, id: number) => (await tenant.get(tenant.flags(id))).body
export const rollout = (percentage: number | null) => ({
  groups: [{ properties: [], rollout_percentage: percentage }],
})
