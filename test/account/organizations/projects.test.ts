// The projects of an organization, and those of all organizations of a user.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations, users } from '../../../drizzle'
import { joinOrganization } from '../../support/database/account-rows'
import { forbidden, refused, seen } from '../../support/responses'
import { createHarness } from '../../support/harness'
import { createTenant, database, setLevel, type Tenant } from '../../support/tenant'
import { pathOf, project } from './project'

describe('projects', () => {
  it.each(['organization', 'own'])('are created in the organization (%s path) and listed', async (where) => {
    const tenant = await createTenant({ level: 8 })
    const path = where === 'own' ? '/api/projects/' : pathOf(tenant, 'projects/')
    const created = await tenant.post(path, { name: 'Second', timezone: 'Europe/Berlin' })
    expect(seen(created)).toEqual({
      status: 201,
      body: project(tenant, {
        id: created.body.id,
        project_id: created.body.id,
        api_token: expect.stringMatching(/^phc_[0-9A-Za-z]{43}$/),
        name: 'Second',
        timezone: 'Europe/Berlin',
      }),
    })
    const both = { count: 2, next: null, previous: null, results: [project(tenant), created.body] }
    expect((await tenant.get(path)).body).toEqual(both)
    expect((await tenant.get(`/api/projects/${created.body.id}/`)).body).toEqual(created.body)
    const { id } = created.body
    expect((await tenant.get(`/api/projects/${id}/feature_flags/`)).status).toBe(200)
    expect((await tenant.get(`/api/projects/${id}/activity_log/?scope=Project`)).body).toEqual({
      results: [
        {
          id: expect.any(String),
          user: { first_name: 'Ada', email: tenant.user.email },
          was_impersonated: false,
          activity: 'created',
          scope: 'Project',
          item_id: String(id),
          detail: {
            id: String(id),
            changes: [],
            trigger: null,
            type: null,
            name: 'Second',
            short_id: null,
            merge: null,
          },
          created_at: '2026-03-10T12:00:00Z',
        },
      ],
      next: null,
      previous: null,
      total_count: 1,
    })
  })

  it('are at most 500 of an organization', async () => {
    const tenant = await createTenant({ level: 8 })
    const isIt = eq(organizations.id, tenant.organizationId)
    await database().update(organizations).set({ projectCount: 500 }).where(isIt)
    expect(seen(await tenant.post('/api/projects/', {}))).toEqual(
      refused(null, 'An organization has at most 500 projects. Delete one to create another.'),
    )
    await database().update(organizations).set({ projectCount: 499 }).where(isIt)
    expect((await tenant.post('/api/projects/', {})).status).toBe(201)
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
    [{ timezone: '+02:00' }, 'timezone', '"+02:00" is not a valid choice.', 'invalid_choice'],
    ...[
      ['europe/berlin', 'Europe/Berlin'],
      ['Europe/BERLIN', 'Europe/Berlin'],
      ['utc', 'UTC'],
      ['us/pacific', 'America/Los_Angeles'],
      ['Berlin', 'Europe/Berlin'],
      ['new york', 'America/New_York'],
    ].map(
      ([written, known]) =>
        [
          { timezone: written },
          'timezone',
          `"${written}" is not a valid choice. Did you mean ${known}?`,
          'invalid_choice',
        ] as const,
    ),
  ] as const)('refuse %j', async (body, attr, detail, code) => {
    const tenant = await createTenant({ level: 8 })
    expect(seen(await tenant.post('/api/projects/', body))).toEqual(refused(attr, detail, code))
  })

  it.each([
    'UTC',
    'Etc/GMT+1',
    'US/Pacific',
    'Asia/Kolkata',
    'America/Port-au-Prince',
    'America/Argentina/Ushuaia',
  ])('are in the time zone %s', async (timezone) => {
    const tenant = await createTenant({ level: 8 })
    expect(await tenant.post('/api/projects/', { timezone })).toMatchObject({
      status: 201,
      body: { timezone },
    })
  })

  it('show whether an event was ever captured', async () => {
    const tenant = await createTenant()
    await tenant.send('POST', '/capture/', {
      body: { api_key: tenant.projectToken, event: 'hoisted', distinct_id: 'ada', properties: {} },
    })
    expect((await tenant.get(`/api/projects/${tenant.projectId}/`)).body).toEqual(
      project(tenant, { ingested_event: true }),
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

describe('PATCH projects/:id', () => {
  const one = ({ projectId }: Tenant) => `/api/projects/${projectId}/`

  it('updates sent fields, for admins', async () => {
    const tenant = await createTenant({ level: 8 })
    const body = { name: ' Harbour ', timezone: 'Europe/Berlin', require_evaluation_contexts: 'true', id: 7 }
    const expected = project(tenant, {
      name: 'Harbour',
      timezone: 'Europe/Berlin',
      require_evaluation_contexts: true,
    })
    expect(seen(await tenant.patch(one(tenant), body))).toEqual({ status: 200, body: expected })
    expect((await tenant.get(one(tenant))).body).toEqual(expected)
    expect(seen(await tenant.patch(one(tenant), {}))).toEqual({ status: 200, body: expected })
    expect(
      seen(await tenant.patch(`/api/environments/${tenant.projectId}/`, { name: 'Quay' })).body,
    ).toMatchObject({ name: 'Quay', timezone: 'Europe/Berlin' })
  })

  it('is recorded with what changed', async () => {
    const tenant = await createTenant({ level: 8 })
    const { name } = (await tenant.get(one(tenant))).body
    const body = { name: 'Harbour', timezone: 'Europe/Berlin', require_evaluation_contexts: true }
    await Promise.all([tenant.patch(one(tenant), body), tenant.patch(one(tenant), body)])
    await tenant.patch(one(tenant), {})
    await setLevel(tenant, 1)
    await tenant.patch(one(tenant), { name: 'Mine' })
    const id = String(tenant.projectId)
    const changed = (field: string, before: unknown, after: unknown) => ({
      type: 'Project',
      action: 'changed',
      field,
      before,
      after,
    })
    expect((await tenant.get(`/api/projects/${id}/activity_log/?scope=Project`)).body).toEqual({
      results: [
        {
          id: expect.any(String),
          user: { first_name: 'Ada', email: tenant.user.email },
          was_impersonated: false,
          activity: 'updated',
          scope: 'Project',
          item_id: id,
          detail: {
            id,
            changes: [
              changed('name', name, 'Harbour'),
              changed('timezone', 'UTC', 'Europe/Berlin'),
              changed('require_evaluation_contexts', false, true),
            ],
            trigger: null,
            type: null,
            name: 'Harbour',
            short_id: null,
            merge: null,
          },
          created_at: '2026-03-10T12:00:00Z',
        },
      ],
      next: null,
      previous: null,
      total_count: 1,
    })
  })

  it('takes effect on flags immediately', async () => {
    const tenant = await createTenant({ level: 8 })
    await tenant.flag({
      key: 'since',
      filters: {
        groups: [
          { properties: [{ key: 'at', type: 'person', operator: 'is_date_after', value: '2026-03-10' }] },
        ],
      },
    })
    const isOn = async () => {
      const { body } = await tenant.send('POST', '/flags/?v=2', {
        body: {
          token: tenant.projectToken,
          distinct_id: 'ada',
          person_properties: { at: '2026-03-09T20:00:00Z' },
        },
      })
      return body.flags.since.enabled
    }
    expect(await isOn()).toBe(false)
    await tenant.patch(one(tenant), { timezone: 'Asia/Tokyo', require_evaluation_contexts: true })
    expect(await isOn()).toBe(true)
    expect((await tenant.post(tenant.flags(), { key: 'bare' })).status).toBe(400)
  })

  it('rejects members, and demoted admins despite a cached actor', async () => {
    const tenant = await createTenant({ level: 8 })
    await tenant.get(one(tenant))
    await setLevel(tenant, 1)
    expect(seen(await tenant.patch(one(tenant), { name: 'Mine' }))).toEqual(
      forbidden('Only admins can change projects of this organization.'),
    )
    expect((await tenant.get(one(tenant))).body).toEqual(project(tenant))
  })

  it.each([
    [{ name: '' }, 'name', 'This field may not be blank.', 'blank'],
    [{ timezone: 'Mars/Olympus' }, 'timezone', '"Mars/Olympus" is not a valid choice.', 'invalid_choice'],
    [
      { require_evaluation_contexts: 'x' },
      'require_evaluation_contexts',
      'Must be a valid boolean.',
      undefined,
    ],
  ])('rejects %j', async (body, attr, detail, code) => {
    const tenant = await createTenant({ level: 8 })
    expect(seen(await tenant.patch(one(tenant), body))).toEqual(refused(attr, detail, code))
  })

  it('take Sunday as the first day of the week, and no other', async () => {
    const tenant = await createTenant({ level: 8 })
    const error =
      'Weeks begin on Sunday (0). In HogQL, toMonday(…) and toStartOfWeek(…, 1) begin them on Monday.'
    for (const week_start_day of [0, null]) {
      const { status, body } = await tenant.patch(one(tenant), { week_start_day })
      expect([status, body]).toEqual([200, project(tenant)])
    }
    for (const week_start_day of [1, 6]) {
      expect(seen(await tenant.patch(one(tenant), { week_start_day }))).toMatchObject({
        status: 400,
        body: { attr: 'week_start_day', detail: error },
      })
      expect(seen(await tenant.post('/api/projects/', { name: 'Second', week_start_day }))).toMatchObject({
        status: 400,
        body: { attr: 'week_start_day', detail: error },
      })
    }
  })
})

describe('DELETE projects/:id', () => {
  it('is for admins, despite a cached actor', async () => {
    const tenant = await createTenant({ level: 8 })
    const paths = [
      `/api/projects/${tenant.projectId}/`,
      `/api/environments/${tenant.projectId}/`,
      pathOf(tenant, `projects/${tenant.projectId}/`),
    ]
    await tenant.get(paths[0]!)
    await setLevel(tenant, 1)
    for (const path of paths) {
      expect(seen(await tenant.delete(path))).toEqual(
        forbidden('Only admins can delete projects of this organization.'),
      )
    }
    expect((await tenant.get(paths[0]!)).body).toEqual(project(tenant))
  })

  it('leaves an organization without the project, for Terraform at the path where it was created', async () => {
    const tenant = await createTenant({ level: 8 })
    const { body: second } = await tenant.post(pathOf(tenant, 'projects/'), { name: 'Second' })
    const path = pathOf(tenant, `projects/${second.id}/`)
    expect((await tenant.get(path)).body).toEqual(second)
    expect(seen(await tenant.delete(path))).toEqual({ status: 204, body: null })
    expect((await tenant.get(path)).status).toBe(404)
    expect((await tenant.get(pathOf(tenant, 'projects/'))).body).toMatchObject({
      count: 1,
      results: [project(tenant)],
    })
  })
})
