// POST scene_personalisation (docs/reference/accounts.md#profile).
import { describe, expect, it } from 'vitest'
import { sql } from 'drizzle-orm'
import { newMembership, newOrganization } from '../../../src/account/provisioning'
import { createIds } from '../../../src/clock'
import { refused, seen } from '../../support/responses'
import { dashboard } from '../../support/database/rows'
import { signIn } from '../../support/session'
import { createTenant, database } from '../../support/tenant'

const PATH = '/api/users/@me/scene_personalisation/'
const DONE = { status: 200, body: null }

describe('POST scene_personalisation', () => {
  it('stores one dashboard per scene and responds without a body', async () => {
    const tenant = await createTenant()
    const [first, second] = [await dashboard(tenant), await dashboard(tenant)]
    expect(seen(await tenant.post(PATH, { scene: 'Home', dashboard: first }))).toEqual(DONE)
    expect(seen(await tenant.post(PATH, { scene: 'home', dashboard: String(first) }))).toEqual(DONE)
    expect(seen(await tenant.post(PATH, { scene: 'Home', dashboard: second, team: 1, user: 1 }))).toEqual(
      DONE,
    )
    const { body } = await tenant.get('/api/users/@me/')
    expect(body.scene_personalisation).toEqual([
      { scene: 'Home', dashboard: second },
      { scene: 'home', dashboard: first },
    ])
  })

  it('takes no dashboard outside of the restrictions of a key', async () => {
    const tenant = await createTenant()
    const id = await dashboard(tenant)
    for (const restriction of [
      { scopedTeams: [tenant.projectId + 1] },
      { scopedOrganizations: [crypto.randomUUID()] },
    ]) {
      const restricted = await tenant.withKey(restriction)
      const sent = (value: number) => restricted.post(PATH, { scene: 'Home', dashboard: value })
      const missing = (value: number) =>
        refused('dashboard', `Invalid pk "${value}" - object does not exist.`, 'does_not_exist')
      expect(seen(await sent(id))).toEqual(missing(id))
      expect(seen(await sent(999_999))).toEqual(missing(999_999))
    }
    const restricted = await tenant.withKey({ scopedTeams: [tenant.projectId] })
    expect(seen(await restricted.post(PATH, { scene: 'Home', dashboard: id }))).toEqual(DONE)
  })

  it('keeps 100 scenes, without the first ones', async () => {
    const tenant = await createTenant()
    const first = await dashboard(tenant)
    const numbers = JSON.stringify(Array.from({ length: 100 }, (_, index) => index))
    await database().run(sql`INSERT INTO scene_personalisations (user_id, project_id, scene, dashboard_id)
      SELECT ${tenant.user.id}, ${tenant.projectId}, 's' || value, ${first} FROM json_each(${numbers})`)
    expect(seen(await tenant.post(PATH, { scene: 's1', dashboard: first }))).toEqual(DONE)
    expect(seen(await tenant.post(PATH, { scene: 'new', dashboard: first }))).toEqual(DONE)
    const { body } = await tenant.get('/api/users/@me/')
    const scenes = body.scene_personalisation.map(({ scene }: { scene: string }) => scene)
    expect(scenes).toHaveLength(100)
    expect(scenes).not.toContain('s0')
    expect(scenes).toContain('new')
  })

  it('updates the profile by its rules', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    expect(seen(await browser.post(PATH, { first_name: 'Grace', theme_mode: 'dark' }))).toEqual(DONE)
    const { body } = await tenant.get('/api/users/@me/')
    expect(body).toMatchObject({ first_name: 'Grace', theme_mode: 'dark', scene_personalisation: [] })
    expect((await browser.post(PATH, { is_staff: true })).status).toBe(403)
    expect((await tenant.post(PATH, { password: 'quite-0ther-w0rds' })).status).toBe(403)
    expect((await browser.post(PATH, { set_current_team: 999_999 })).body.code).toBe('does_not_exist')
  })

  it('takes the whole record of the user, as it is read', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant)
    const { body } = await browser.get('/api/users/@me/')
    expect(seen(await browser.post(PATH, { ...body, first_name: 'Grace' }))).toEqual(DONE)
    expect((await browser.get('/api/users/@me/')).body).toEqual({ ...body, first_name: 'Grace' })
    const { organization, organizations } = body
    expect(seen(await tenant.post(PATH, { organization, organizations }))).toEqual(DONE)
    expect((await tenant.post(PATH, { set_current_organisation: 1 })).body.code).toBe('unknown_field')
  })

  it('changes nothing when any part is rejected', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(PATH, { first_name: 'Grace', scene: 'Home', dashboard: 999_999 })
    expect(seen(response)).toEqual(
      refused('dashboard', 'Invalid pk "999999" - object does not exist.', 'does_not_exist'),
    )
    expect((await tenant.get('/api/users/@me/')).body.first_name).toBe('Ada')
  })

  it('requires both, the dashboard first', async () => {
    const tenant = await createTenant()
    const id = await dashboard(tenant)
    expect(seen(await tenant.post(PATH, { scene: 'Home' }))).toEqual(
      refused(null, 'Dashboard must be provided.'),
    )
    expect(seen(await tenant.post(PATH, { dashboard: id }))).toEqual(refused(null, 'Scene must be provided.'))
    expect(seen(await tenant.post(PATH, { scene: 'Home', dashboard: null }))).toEqual(
      refused('dashboard', 'This field may not be null.', 'null'),
    )
    expect((await tenant.post(PATH, { scene: 'x'.repeat(201), dashboard: id })).body.code).toBe('max_length')
  })

  it.each([
    [0, 'Invalid pk "0" - object does not exist.', 'does_not_exist'],
    [-1, 'Invalid pk "-1" - object does not exist.', 'does_not_exist'],
    ['999999', 'Invalid pk "999999" - object does not exist.', 'does_not_exist'],
    ['9'.repeat(16), `Invalid pk "${'9'.repeat(16)}" - object does not exist.`, 'does_not_exist'],
    [1e17, 'Invalid pk "100000000000000000" - object does not exist.', 'does_not_exist'],
    ['Home', 'Incorrect type. Expected an id, received text.', 'incorrect_type'],
    ['', 'Incorrect type. Expected an id, received text.', 'incorrect_type'],
    [1.5, 'Incorrect type. Expected an id, received a fraction.', 'incorrect_type'],
    [true, 'Incorrect type. Expected an id, received a boolean.', 'incorrect_type'],
    [[1], 'Incorrect type. Expected an id, received a list.', 'incorrect_type'],
  ])('refuses the dashboard %j', async (sent, detail, code) => {
    const tenant = await createTenant()
    expect(seen(await tenant.post(PATH, { scene: 'Home', dashboard: sent }))).toEqual(
      refused('dashboard', detail, code),
    )
  })

  it('rejects deleted and inaccessible dashboards', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    for (const id of [await dashboard(other), await dashboard(tenant, { deleted: true })]) {
      expect((await tenant.post(PATH, { scene: 'Home', dashboard: id })).body).toMatchObject({
        code: 'does_not_exist',
        attr: 'dashboard',
      })
    }
  })

  it('rejects dashboards of other projects than the current one', async () => {
    const tenant = await createTenant({ level: 8 })
    const made = await tenant.post('/api/projects/', { name: 'Second' })
    const id = await dashboard({ projectId: made.body.id })
    expect(seen(await tenant.post(PATH, { scene: 'Home', dashboard: id }))).toEqual(
      refused('dashboard', "Dashboard must belong to the user's current team."),
    )
    expect(
      seen(await tenant.post(PATH, { scene: 'Home', dashboard: id, set_current_team: made.body.id })),
    ).toEqual(DONE)
  })

  it('rejects dashboards of the former project in a switch to an organization without projects', async () => {
    const tenant = await createTenant()
    const context = { db: database(), ids: createIds(), now: tenant.clock.now() }
    const empty = newOrganization(context, 'Empty')
    await context.db.batch([empty.statement, newMembership(context, tenant.user.uuid, empty.id, 1)])
    const scene = { scene: 'Home', dashboard: await dashboard(tenant) }
    expect(seen(await tenant.post(PATH, { ...scene, set_current_organization: empty.id }))).toEqual(
      refused('dashboard', "Dashboard must belong to the user's current team."),
    )
  })

  it('sets a scene without recent authentication', async () => {
    const tenant = await createTenant()
    const browser = await signIn(tenant, { authenticatedAt: '2026-03-10T09:00:00.000000Z' })
    const scene = { scene: 'Home', dashboard: await dashboard(tenant) }
    expect(seen(await browser.post(PATH, scene))).toEqual(DONE)
    expect((await browser.post(PATH, { ...scene, email: 'x@example.com' })).status).toBe(403)
  })
})
