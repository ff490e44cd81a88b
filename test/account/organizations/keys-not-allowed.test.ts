// An organization that lets only its admins use keys, on paths that name no organization. Those that name one are in test/security.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { organizations } from '../../../drizzle'
import { forbidden, seen } from '../../support/responses'
import { joinOrganization } from '../../support/database/account-rows'
import { createHarness } from '../../support/harness'
import { signIn } from '../../support/session'
import { createTenant, database } from '../../support/tenant'

/** Somebody of a level in an organization that takes keys of admins only, and a member of another that takes all. */
async function somebody(level: 1 | 8) {
  const harness = createHarness()
  const [tenant, open] = [await createTenant({ harness, level }), await createTenant({ harness })]
  await joinOrganization(tenant, open.organizationId)
  const [closed] = await database()
    .update(organizations)
    .set({ membersCanUsePersonalApiKeys: false })
    .where(eq(organizations.id, tenant.organizationId))
    .returning()
  return { tenant, open, name: closed!.name }
}

const idsIn = ({ body }: { body: { results: { id: string | number }[] } }) =>
  body.results.map(({ id }) => id).sort()

describe('a key of a member', () => {
  it('lists nothing of the organization', async () => {
    const { tenant, open } = await somebody(1)
    expect(idsIn(await tenant.get('/api/organizations/'))).toEqual([open.organizationId])
    expect(idsIn(await tenant.get('/api/projects/'))).toEqual([open.projectId])
    const browser = await signIn(tenant)
    expect(idsIn(await browser.get('/api/projects/'))).toEqual([tenant.projectId, open.projectId].sort())
  })

  it('creates no project in it', async () => {
    const { tenant, name } = await somebody(1)
    expect(seen(await tenant.post('/api/projects/', { name: 'Second' }))).toEqual(
      forbidden(
        `Organization '${name}' does not allow using personal API keys. ` +
          'Contact an admin to enable personal API keys for this organization.',
      ),
    )
  })
})

it('allows keys of its admins', async () => {
  const { tenant, open } = await somebody(8)
  expect(idsIn(await tenant.get('/api/organizations/'))).toEqual(
    [tenant.organizationId, open.organizationId].sort(),
  )
  expect((await tenant.post('/api/projects/', { name: 'Second' })).status).toBe(201)
})
