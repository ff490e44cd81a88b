// Seeds a deployment: its first organization, project, user and key. There is no default password.
import { type AnalyticsStore, DEFAULT_STORE } from '../storage/shards'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { OWNER } from '../auth/actor'
import { hashPassword } from './password/hash'
import { newMembership, newOrganization, newPersonalApiKey, newProject, newUser } from './provisioning'

export type SeedCredentials = Awaited<ReturnType<typeof seedDeployment>>['credentials']

/** Returns the statements, in order, for the first organization, project, user and key, with random secrets. */
export async function seedDeployment(
  db: Database,
  ids: Ids,
  now: Date,
  email: string,
  queryEngine: AnalyticsStore['queryEngine'] = 'd1',
) {
  const context = { db, ids, now }
  const password = ids.secret(18)
  const organization = newOrganization(context, 'My organization')
  const project = newProject(context, organization.id, 'Default project', 'UTC', {
    ...DEFAULT_STORE,
    queryEngine,
  })
  const user = newUser(context, {
    email,
    firstName: email.split('@')[0] ?? '',
    passwordHash: await hashPassword(password),
    isStaff: true,
  })
  const key = await newPersonalApiKey(context, user.uuid, { label: 'First key', scopes: ['*'] })
  return {
    credentials: {
      email,
      password,
      userUuid: user.uuid,
      projectUuid: project.uuid,
      projectApiToken: project.apiToken,
      personalApiKey: key.value,
    },
    statements: [
      organization.statement,
      project.statement,
      user.statement,
      newMembership(context, user.uuid, organization.id, OWNER),
      key.statement,
    ],
  }
}
