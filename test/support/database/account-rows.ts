// Inserts rows of the account area.
import { env } from 'cloudflare:workers'
import { chatLinks, memberships, organizationSso, ssoDomains, workspaceIntegrations } from '../../../drizzle'
import { sealClientSecret } from '../../../src/account/single-sign-on/provider'
import { database, type Tenant } from '../tenant'

type Of = Pick<Tenant, 'projectId' | 'user'>

const AT = '2026-03-01T00:00:00.000000Z'

/** Inserts a chat workspace that the project is connected to. Returns the id of the integration. */
export async function workspace(
  { projectId }: Pick<Of, 'projectId'>,
  fields: Partial<typeof workspaceIntegrations.$inferInsert> = {},
): Promise<number> {
  const [row] = await database()
    .insert(workspaceIntegrations)
    .values({ projectId, workspaceId: 'T1', workspaceName: 'Harbour', createdAt: AT, ...fields })
    .onConflictDoUpdate({
      target: [workspaceIntegrations.projectId, workspaceIntegrations.workspaceId],
      set: { createdAt: AT },
    })
    .returning({ id: workspaceIntegrations.id })
  return row!.id
}

/** Inserts a link of the user to a chat identity. Returns the identity's id. */
export async function chatLink(
  { user }: Pick<Of, 'user'>,
  fields: Partial<typeof chatLinks.$inferInsert> = {},
): Promise<string> {
  const chatUserId = fields.chatUserId ?? 'U1'
  await database()
    .insert(chatLinks)
    .values({
      id: crypto.randomUUID(),
      userId: user.id,
      workspaceId: 'T1',
      workspaceName: 'Harbour',
      emailAtLink: user.email,
      scope: 'openid email profile',
      createdAt: AT,
      linkedAt: AT,
      ...fields,
      chatUserId,
    })
    .onConflictDoNothing()
  return chatUserId
}

/** Makes a tenant's user a member of another tenant's organization. */
export const joinOrganization = ({ user }: Pick<Of, 'user'>, organizationId: string, level = 1) =>
  database().insert(memberships).values({ userId: user.id, organizationId, level, joinedAt: AT })

/** Inserts single sign-on of an organization with a domain that is not verified. */
export async function singleSignOn(organizationId: string, issuer: string, domain: string): Promise<void> {
  const clientSecret = await sealClientSecret(env, 'a shared secret')
  const at = { createdAt: AT, updatedAt: AT }
  await database()
    .insert(organizationSso)
    .values({ organizationId, issuer, clientId: 'client', clientSecret, ...at })
    .onConflictDoNothing()
  await database().insert(ssoDomains).values({ organizationId, domain }).onConflictDoNothing()
}
