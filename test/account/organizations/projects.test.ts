// The projects of an organization, and those of all organizations of a user.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations, users } from '../../../drizzle'
import { joinOrganization } from '../../support/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { pathOf, team } from './project'

describe('projects', () => {
  it.each(['organization', 'own'])('are created in the organization (%s path) and listed', async (where) => {
    const tenant = await createTenant({ level: 8 })
    const path = where === 'own' ? '/api/projects/' : pathOf(tenant, 'projects/')
    const created = await tenant.post(path, { name: 'Second', timezone: 'Europe/Berlin' })
    expect(seen(created)).toEqual({
      status: 201,
      body: team(tenant, {
        id: created.body.id,
        project_id: created.body.id,
        api_token: expect.stringMatching(/^phc_[0-9A-Za-z]{43}$/),
        name: 'Second',
        timezone: 'Europe/Berlin',
      }),
    })
    const both = { count: 2, next: null, previous: null, results: [team(tenant), created.body] }
    expect((await tenant.get(path)).body).toEqual(both)
    expect((await tenant.get(`/api/projects/${created.body.id}/`)).body).toEqual(created.body)
    expect((await tenant.get(`/api/projects/${created.body.id}/feature_flags/`)).status).toBe(200)
  })

  it('have a default name and time zone', async () => {
    const tenant = await createTenant({ level: 15 })
    const { body } = await tenant.post(pathOf(tenant, 'projects/'))
    expect(body).toMatchObject({ name: 'Default project', timezone: 'UTC' })
  })

  it('are created by admins only, unless the organization allows all members', async () => {
    const tenant = await createTenant()
    for (const path of ['/api/projects/', pathOf(tenant, 'projects/')]) {
      expect(seen(await tenant.post(path, { name: 'Second' }))).toEqual(
        forbidden('Only admins can create projects in this organization.'),
      )
    }
    await database()
      .update(organizations)
      .set({ membersCanCreateProjects: true })
      .where(eq(organizations.id, tenant.organizationId))
    for (const path of ['/api/projects/', pathOf(tenant, 'projects/')]) {
      expect((await tenant.post(path, { name: 'Second' })).status).toBe(201)
    }
  })

  it('reject demoted admins despite a cached actor', async () => {
    const tenant = await createTenant({ level: 8 })
    await tenant.get(pathOf(tenant, 'projects/'))
    await setLevel(tenant, 1)
    expect(seen(await tenant.post(pathOf(tenant, 'projects/'), { name: 'Second' }))).toEqual(
      forbidden('Only admins can create projects in this organization.'),
    )
    expect((await tenant.get('/api/projects/')).body.count).toBe(1)
  })

  it.each([
    [{ name: '' }, 'name', 'This field may not be blank.', 'blank'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', '"Mars/Olympus" is not a valid choice.', 'invalid_choice'],
  ])('refuse %j', async (body, attr, detail, code) => {
    const tenant = await createTenant({ level: 8 })
    expect(seen(await tenant.post('/api/projects/', body))).toEqual(refused(attr, detail, code))
  })

  it('show whether an event was ever captured', async () => {
    const tenant = await createTenant()
    await tenant.send('POST', '/capture/', {
      body: { api_key: tenant.projectToken, event: 'hoisted', distinct_id: 'ada', properties: {} },
    })
    expect((await tenant.get(`/api/projects/${tenant.projectId}/`)).body).toEqual(
      team(tenant, { ingested_event: true }),
    )
  })

  it('list those of all organizations that a key can access', async () => {
    const harness = createHarness()
    const [tenant, other] = [await createTenant({ harness }), await createTenant({ harness })]
    await joinOrganization(tenant, other.organizationId)
    const idsFor = async (as: Tenant) =>
      (await as.get('/api/projects/')).body.results.map((each: { id: number }) => each.id)
    expect(await idsFor(tenant)).toEqual([tenant.projectId, other.projectId])
    expect(await idsFor(await tenant.withKey({ scopedOrganizations: [other.organizationId] }))).toEqual([
      other.projectId,
    ])
    expect(await idsFor(other)).toEqual([other.projectId])
  })

  it('cannot be listed or created without an organization', async () => {
    const tenant = await createTenant()
    await database().run(`DELETE FROM organization_memberships WHERE user_id = ${tenant.user.id}`)
    expect((await tenant.get('/api/projects/')).body.count).toBe(0)
    expect((await tenant.post('/api/projects/', {})).status).toBe(404)
    expect(await database().select().from(users).where(eq(users.id, tenant.user.id))).toHaveLength(1)
  })
})
