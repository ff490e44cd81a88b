// Creates the first organization, project, user and key of a database, and new credentials for lost ones.
import { and, eq, type SQLWrapper } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import { users } from '../../../drizzle'
import { seedDeployment, newPersonalApiKey } from '../../account/provisioning'
import { normalEmail } from '../../account/identity-fields'
import { hashPassword } from '../../account/password/hash'
import { newPasswordReset, RESET_PATH } from '../../account/password/reset'
import type { AnalyticsStore } from '../../storage/shards'
import { createIds, systemClock } from '../../clock'
import type { Database } from '../../storage/database'
import type { Credentials } from './credentials'
import type { SqlDatabase } from '../sql-database'

type Execute = SqlDatabase['execute']

/** Builds statements and never runs them. */
const writer = drizzle({} as D1Database) as unknown as Database
const ids = createIds()

const dialect = new SQLiteSyncDialect()

/** Returns a statement with inlined parameters. */
const literal = (statement: SQLWrapper) => dialect.sqlToQuery(statement.getSQL().inlineParams()).sql

export interface SeedOptions {
  email: string
  baseUrl: string
  /** The engine of the first project. */
  queryEngine: AnalyticsStore['queryEngine']
  /** Further statements of the same transaction. */
  following?: readonly string[]
}

export async function seedDatabase(
  execute: Execute,
  { email, baseUrl, queryEngine, following = [] }: SeedOptions,
): Promise<Credentials> {
  const { credentials, statements } = await seedDeployment(writer, ids, systemClock.now(), email, queryEngine)
  const [project] = await execute([
    ...statements.map(literal),
    ...following,
    `SELECT id FROM projects WHERE uuid = '${credentials.projectUuid}'`,
  ])
  return {
    base_url: baseUrl,
    project_id: Number(project?.id),
    project_api_token: credentials.projectApiToken,
    personal_api_key: credentials.personalApiKey,
    email: credentials.email,
    password: credentials.password,
    user_uuid: credentials.userUuid,
  }
}

/**
 * Returns a link that sets a new password of a user, which works for an hour.
 * @throws when there is no such user
 */
export async function makeResetLink(execute: Execute, email: string, baseUrl: string): Promise<string> {
  const address = normalEmail(email)
  const [user] = await execute([
    literal(
      writer
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.email, address), eq(users.isActive, true))),
    ),
  ])
  if (!user) throw new Error(`There is no active user ${address}.`)
  const context = { db: writer, ids, now: systemClock.now() }
  const { token, statements } = newPasswordReset(context, Number(user.id), null)
  await execute(statements.map(literal))
  return `${baseUrl}${RESET_PATH}/${token}`
}

/**
 * Replaces the password of the first active user, and adds a key.
 * @throws when there is none with a project
 */
export async function renewCredentials(execute: Execute, baseUrl: string): Promise<Credentials> {
  const [first] = await execute([
    `SELECT u.uuid, u.email, p.id AS project_id, p.api_token FROM users u
      JOIN organization_memberships m ON m.user_id = u.id JOIN projects p ON p.organization_id = m.organization_id
      WHERE u.is_active ORDER BY u.id, p.id LIMIT 1`,
  ])
  if (!first) throw new Error('There is no active user with a project, whose credentials could be made.')
  const userUuid = String(first.uuid)
  const password = ids.secret(18)
  const context = { db: writer, ids, now: systemClock.now() }
  const key = await newPersonalApiKey(context, userUuid, { label: 'Renewed key', scopes: ['*'] })
  await execute([
    literal(key.statement),
    `UPDATE users SET password_hash = '${await hashPassword(password)}' WHERE uuid = '${userUuid}'`,
  ])
  return {
    base_url: baseUrl,
    project_id: Number(first.project_id),
    project_api_token: String(first.api_token),
    personal_api_key: key.value,
    email: String(first.email),
    password,
    user_uuid: userUuid,
  }
}
