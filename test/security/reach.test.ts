// What a key reaches under the scopes of its user: nothing of an organization or project that it is restricted from, or that rejects it. The
// cases derive from the operations: a new one is covered without a change here.
import { eq } from 'drizzle-orm'
import { afterEach, describe, expect, it } from 'vitest'
import { organizations, projects, scenePersonalisations, users } from '../../drizzle'
import { newProject } from '../../src/account/provisioning'
import type { Level } from '../../src/auth/actor'
import { createIds } from '../../src/clock'
import { chatLink, joinOrganization, workspace } from '../support/database/account-rows'
import { dashboard } from '../support/database/rows'
import { signIn } from '../support/session'
import { database, type Tenant } from '../support/tenant'
import { call, ofUserByKey, operations, paramsFor } from './call'
import { stateOf } from './state'
import { watch } from './watch'

const watched = watch()
afterEach(() => watched.check())

const someEmail = () => `${crypto.randomUUID()}@example.com`

/** Names an organization and a project, so that responses can be searched for them, and connects the project to a workspace. */
async function mark({ organizationId, projectId }: Pick<Tenant, 'organizationId' | 'projectId'>) {
  const [organizationName, projectName, workspaceName] = [0, 1, 2].map(() => crypto.randomUUID())
  await database()
    .update(organizations)
    .set({ name: organizationName! })
    .where(eq(organizations.id, organizationId))
  const [project] = await database()
    .update(projects)
    .set({ name: projectName! })
    .where(eq(projects.id, projectId))
    .returning()
  const workspaceId = crypto.randomUUID()
  await workspace({ projectId }, { workspaceId, workspaceName })
  return {
    workspaceId,
    ofProject: [project!.uuid, project!.apiToken, projectName!, workspaceName!],
    ofOrganization: [organizationId, organizationName!],
  }
}

/**
 * A user of one organization who works in another one: it is the current one, has a dashboard of theirs, they delegated onboarding there,
 * and are linked to a workspace of it. The own organization has a second project.
 */
async function somebodyElsewhere(level: Level) {
  const [tenant, other] = [await watched.tenant(), await watched.tenant()]
  await joinOrganization(tenant, other.organizationId, level)
  const scene = { userId: tenant.user.id, scene: 'Home', dashboardId: await dashboard(other) }
  await database()
    .insert(scenePersonalisations)
    .values({ ...scene, projectId: other.projectId })
  const browser = await signIn(tenant)
  const invites = `/api/organizations/${other.organizationId}/invites/`
  const { body: invite } = await browser.post(`${invites}delegate/`, { target_email: someEmail() })
  await database()
    .update(users)
    .set({ currentOrganizationId: other.organizationId, currentProjectId: other.projectId })
    .where(eq(users.id, tenant.user.id))
  const context = { db: database(), ids: createIds(), now: tenant.clock.now() }
  const project = newProject(context, tenant.organizationId, 'Second')
  await project.statement
  const [second] = await database().select().from(projects).where(eq(projects.uuid, project.uuid))
  const { ofProject, ofOrganization, workspaceId } = await mark(other)
  const link = { chatUserId: crypto.randomUUID(), workspaceId, workspaceName: ofProject.at(-1)! }
  const linked = await chatLink(tenant, link)
  return {
    tenant,
    other,
    elsewhere: [...ofProject, workspaceId, linked, ...ofOrganization, invite.id as string],
    second: (await mark({ ...tenant, projectId: second!.id })).ofProject,
  }
}

type Somebody = Awaited<ReturnType<typeof somebodyElsewhere>>

const KEYS: [string, Level, (somebody: Somebody) => Promise<{ key: Tenant; hidden: string[] }>][] = [
  [
    'that is restricted to a project',
    8,
    async ({ tenant, elsewhere, second }) => ({
      key: await watched.holder(tenant, { scopedTeams: [tenant.projectId] }),
      hidden: [...elsewhere, ...second],
    }),
  ],
  [
    'that is restricted to an organization',
    8,
    async ({ tenant, elsewhere }) => ({
      key: await watched.holder(tenant, { scopedOrganizations: [tenant.organizationId] }),
      hidden: elsewhere,
    }),
  ],
  [
    'of a member whose other organization rejects keys of members',
    1,
    async ({ tenant, other, elsewhere }) => {
      await database()
        .update(organizations)
        .set({ membersCanUsePersonalApiKeys: false })
        .where(eq(organizations.id, other.organizationId))
      return { key: await watched.holder(tenant, {}), hidden: elsewhere }
    },
  ],
]

const found = (text: string, hidden: readonly string[]) => hidden.filter((each) => text.includes(each))

describe.each(ofUserByKey)('$id: a key', (operation) => {
  it.each(KEYS)('%s finds and changes nothing elsewhere', async (_, level, restrict) => {
    const somebody = await somebodyElsewhere(level)
    const { tenant, other } = somebody
    const params = await paramsFor(operation, tenant)
    const { key, hidden } = await restrict(somebody)
    const before = await stateOf(other)
    const response = await call(key, operation, { params })
    expect(response.status).toBeLessThan(500)
    expect(found(response.text, hidden)).toEqual([])
    expect(await stateOf(other)).toEqual(before)
  })
})

it('a restricted key learns from no path and no token where its user is, or whose a project is', async () => {
  const { tenant, other } = await somebodyElsewhere(8)
  const hidden = [other.organizationId, `ID ${other.projectId}`]
  const paths = [
    '/api/organizations/@current/',
    '/api/projects/@current/',
    '/api/organizations/@current/projects/@current/',
    `/api/projects/@current/feature_flags/?token=${other.projectToken}`,
    `/api/projects/${tenant.projectId}/feature_flags/?token=${other.projectToken}`,
    `/api/projects/${(await watched.tenant()).projectId}/`,
  ]
  for (const restriction of [
    { scopedTeams: [tenant.projectId] },
    { scopedOrganizations: [tenant.organizationId] },
  ]) {
    const key = await watched.holder(tenant, restriction)
    for (const path of paths) {
      const response = await key.get(path)
      expect([path, response.status, found(response.text, hidden)]).toEqual([path, 403, []])
      expect(response.body.detail).not.toMatch(/organization: ID/)
    }
  }
})

it('a key without restrictions finds all of it', async () => {
  const { tenant, elsewhere, second } = await somebodyElsewhere(8)
  const texts = []
  for (const id of ['users_retrieve', 'users_integrations_chat_linkable_workspaces_retrieve']) {
    const operation = operations.find((each) => each.id === id)!
    texts.push((await call(tenant, operation, { params: await paramsFor(operation, tenant) })).text)
  }
  texts.push((await tenant.get('/api/users/@me/integrations/?kind=chat')).text)
  // The id of an invite is masked for keys, and the second project is that of an organization that is not the current one.
  expect(found(texts.join(), [...elsewhere, ...second])).toEqual([
    ...elsewhere.slice(0, -1),
    second.at(-2),
    second.at(-1),
  ])
})
