// The organization and the project that a user works in, as PATCH /api/users/@me/ sets them (docs/reference/accounts.md#profile).
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { projects } from '../../../drizzle'
import { newMembership, newOrganization, newProject } from '../../../src/account/provisioning'
import { createIds } from '../../../src/clock'
import { forbidden, refused, seen } from '../../support/responses'
import { signIn } from '../../support/session'
import { createTenant, database, type Tenant } from '../../support/tenant'

const ME = '/api/users/@me/'

/** A second organization of the tenant's user, with a project. */
async function secondOrganization(tenant: Tenant) {
  const db = database()
  const context = { db, ids: createIds(), now: tenant.clock.now() }
  const organization = newOrganization(context, 'Second')
  const project = newProject(context, organization.id, 'Other')
  await db.batch([
    organization.statement,
    project.statement,
    newMembership(context, tenant.user.uuid, organization.id, 8),
  ])
  const [row] = await db.select().from(projects).where(eq(projects.uuid, project.uuid))
  return { organizationId: organization.id, projectId: row!.id }
}

describe('the current organization and project', () => {
  const missing = (attr: string, id: unknown) =>
    refused(attr, `Object with id=${String(id)} does not exist.`, 'does_not_exist')

  it('switches to the first project of an organization, and to the organization of a project', async () => {
    const tenant = await createTenant()
    const second = await secondOrganization(tenant)
    const place = ({ body }: { body: { team: { id: number }; organization: { id: string } } }) => [
      body.organization.id,
      body.team.id,
    ]
    expect(place(await tenant.get(ME))).toEqual([tenant.organizationId, tenant.projectId])
    expect(place(await tenant.patch(ME, { set_current_organization: second.organizationId }))).toEqual([
      second.organizationId,
      second.projectId,
    ])
    expect(place(await tenant.patch(ME, { set_current_team: String(tenant.projectId) }))).toEqual([
      tenant.organizationId,
      tenant.projectId,
    ])
    const both = { set_current_organization: second.organizationId, set_current_team: second.projectId }
    expect(place(await tenant.patch(ME, both))).toEqual([second.organizationId, second.projectId])
    const { line } = await (await signIn(tenant)).get('/api/projects/@current/feature_flags/')
    expect(line.project_id).toBe(second.projectId)
  })

  it('stays within the restrictions of a key', async () => {
    const tenant = await createTenant()
    const second = await secondOrganization(tenant)
    const ofTeam = { set_current_team: second.projectId }
    const ofOrganization = { set_current_organization: second.organizationId }
    const keys = [
      { restriction: { scopedTeams: [tenant.projectId] }, kind: 'project', naming: ofTeam },
      {
        restriction: { scopedOrganizations: [tenant.organizationId] },
        kind: 'organization',
        naming: ofOrganization,
      },
    ]
    for (const { restriction, kind, naming } of keys) {
      const restricted = await tenant.withKey(restriction)
      for (const sent of [ofTeam, ofOrganization]) {
        const id = sent === naming ? `: ID ${Object.values(sent)[0]}` : ''
        expect(seen(await restricted.patch(ME, sent))).toEqual(
          forbidden(`API key does not have access to the requested ${kind}${id}.`),
        )
      }
      expect((await restricted.patch(ME, { set_current_team: tenant.projectId })).status).toBe(200)
    }
    const { body } = await tenant.get(ME)
    expect([body.organization.id, body.team.id]).toEqual([tenant.organizationId, tenant.projectId])
  })

  it('rejects organizations and projects of others', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const second = await secondOrganization(tenant)
    for (const id of [other.organizationId, crypto.randomUUID(), 'abc']) {
      expect(seen(await tenant.patch(ME, { set_current_organization: id }))).toEqual(
        missing('set_current_organization', id),
      )
    }
    for (const id of [other.projectId, 999_999, 'abc', '1e3', '-1']) {
      expect(seen(await tenant.patch(ME, { set_current_team: id }))).toEqual(missing('set_current_team', id))
    }
    for (const id of [[], {}, true]) {
      expect(seen(await tenant.patch(ME, { set_current_organization: id }))).toEqual(
        refused('set_current_organization', 'Not a valid string.'),
      )
    }
    for (const id of ['', ' ']) {
      expect(seen(await tenant.patch(ME, { set_current_organization: id }))).toEqual(
        refused('set_current_organization', 'This field may not be blank.', 'blank'),
      )
    }
    for (const id of [[], {}, true, 1.5, '', ' ']) {
      expect(seen(await tenant.patch(ME, { set_current_team: id }))).toEqual(
        refused('set_current_team', 'A valid integer is required.'),
      )
    }
    const mixed = { set_current_organization: second.organizationId, set_current_team: tenant.projectId }
    expect(seen(await tenant.patch(ME, mixed))).toEqual(
      refused('set_current_team', 'Team must belong to the same organization in set_current_organization.'),
    )
  })
})
