// The first organization, project, user and key of a deployment (decision 13).
import { type AnalyticsStore, DEFAULT_STORE } from '../storage/shards'
import type { Ids } from '../clock'
import type { Database } from '../storage/database'
import { OWNER } from '../auth/levels'
import { hashPassword } from './password/hash'
import { newMembership, newOrganization, newPersonalApiKey, newProject, newUser } from './tenancy'

export interface FirstRun {
  email: string
  password: string
  userUuid: string
  projectUuid: string
  projectApiToken: string
  personalApiKey: string
}

/** Everything that an empty database needs to be useful, with random secrets. The statements are to be run in their order. */
export async function firstRun(
  db: Database,
  ids: Ids,
  now: Date,
  email: string,
  queryEngine: AnalyticsStore['queryEngine'] = 'd1',
) {
  const birth = { db, ids, now }
  const password = ids.secret(18)
  const organization = newOrganization(birth, 'My organization')
  const project = newProject(birth, organization.id, 'Default project', 'UTC', {
    ...DEFAULT_STORE,
    queryEngine,
  })
  const user = newUser(birth, {
    email,
    firstName: email.split('@')[0] ?? '',
    passwordHash: await hashPassword(password),
    isStaff: true,
  })
  const key = await newPersonalApiKey(birth, user.uuid, { label: 'First key', scopes: ['*'] })
  return {
    credentials: {
      email,
      password,
      userUuid: user.uuid,
      projectUuid: project.uuid,
      projectApiToken: project.apiToken,
      personalApiKey: key.value,
    } satisfies FirstRun,
    statements: [
      organization.statement,
      project.statement,
      user.statement,
      newMembership(birth, user.uuid, organization.id, OWNER),
      key.statement,
    ],
  }
}
