// Inserts rows of items without an API of their own.
import { env } from 'cloudflare:workers'
import { and, eq, gt, max } from 'drizzle-orm'
import {
  approvalPolicies,
  changeRequests,
  cohorts,
  dashboards,
  earlyAccessFeatures,
  experiments,
  featureFlags,
  projects,
  surveys,
  webhookDeliveries,
  webhooks,
} from '../../../drizzle'
import { searchable } from '../../../src/flags/read/name-search'
import { open } from '../filters'
import { bumpGeneration } from '../../../src/storage/flags-generation'
import { newSecret, sealSecret } from '../../../src/webhooks/secret'
import { database, type Tenant } from '../tenant'

type Of = Pick<Tenant, 'projectId'>

const AT = '2026-03-01T00:00:00.000000Z'

/** Inserts an experiment on a flag, which is a draft unless it has a start. Returns its id. */
export async function experiment(
  { projectId }: Of,
  flagId: number,
  { name = 'Trial', ...fields }: Partial<typeof experiments.$inferInsert> = {},
): Promise<number> {
  const [row] = await database()
    .insert(experiments)
    .values({ projectId, flagId, name, searchName: searchable(name), ...fields })
    .returning({ id: experiments.id })
  return row!.id
}

/** Inserts an experiment that has started and not ended. Returns its id. */
export const runningExperiment = (tenant: Of, flagId: number, name = 'Trial') =>
  experiment(tenant, flagId, { name, startDate: AT })

/** Inserts an early-access feature of a flag. Returns its id. */
export async function earlyAccessFeature({ projectId }: Of, flagId: number, name = 'Beta'): Promise<string> {
  const id = crypto.randomUUID()
  await database().insert(earlyAccessFeatures).values({ id, projectId, flagId, name, stage: 'beta' })
  return id
}

/** Inserts a survey that is shown to people with the flag. Returns its id. */
export async function survey({ projectId }: Of, flagId: number, name = 'Feedback'): Promise<string> {
  const id = crypto.randomUUID()
  await database().insert(surveys).values({ id, projectId, linkedFlagId: flagId, name })
  return id
}

/** A condition of a cohort. */
export type CohortLeaf = Record<string, unknown>

/** Inserts a dynamic cohort of the people who meet the conditions. Returns its id. */
export async function cohort(
  { projectId }: Of,
  leaves: CohortLeaf[] = [],
  fields: Partial<typeof cohorts.$inferInsert> = {},
): Promise<number> {
  const [row] = await database()
    .insert(cohorts)
    .values({
      projectId,
      name: 'Regulars',
      createdAt: AT,
      filters: { properties: { type: 'OR', values: [{ type: 'AND', values: leaves }] } },
      ...fields,
    })
    .returning({ id: cohorts.id })
  await bumpGeneration(database(), projectId)
  return row!.id
}

/** Inserts a dashboard. Returns its id. */
export async function dashboard(
  { projectId }: Of,
  fields: Partial<typeof dashboards.$inferInsert> = {},
): Promise<number> {
  const [row] = await database()
    .insert(dashboards)
    .values({ projectId, name: 'Launch', createdAt: AT, ...fields })
    .returning({ id: dashboards.id })
  return row!.id
}

/** Changes settings of a project. The key cache has a project for a while, so that this must come before the first request. */
export const configureProject = ({ projectId }: Of, fields: Partial<typeof projects.$inferInsert>) =>
  database().update(projects).set(fields).where(eq(projects.id, projectId))

/** Returns a flag as it is stored, or undefined when there is none. */
export async function storedFlag(id: number): Promise<typeof featureFlags.$inferSelect | undefined> {
  const [row] = await database().select().from(featureFlags).where(eq(featureFlags.id, id))
  return row
}

/** Changes a flag without the API, before the isolate starts. */
export function overwriteFlag(id: number, fields: Partial<typeof featureFlags.$inferInsert>) {
  return database().update(featureFlags).set(fields).where(eq(featureFlags.id, id))
}

/**
 * Inserts many flags at once, fully rolled out, with keys `<prefix>-1`, `<prefix>-2`, …, as the API would write them. Returns their ids.
 * @param filters the filters of each; values that derive from them are not changed
 */
export async function manyFlags(
  { projectId }: Of,
  count: number,
  filters = open(),
  prefix = 'many',
): Promise<number[]> {
  const before =
    (
      await database()
        .select({ last: max(featureFlags.id) })
        .from(featureFlags)
    )[0]?.last ?? 0
  await env.DB.prepare(
    `INSERT INTO feature_flags (project_id, key, filters, search_text, fully_rolled_out, rollout_state, created_at, updated_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?3)
      SELECT ?4, ?1 || '-' || i, ?2, ?1 || '-' || i || char(31, 30) || ?1 || ' ' || i || char(31), 1, 'fully_rolled_out', ?5, ?5 FROM n`,
  )
    .bind(prefix, JSON.stringify(filters), count, projectId, AT)
    .run()
  const rows = await database()
    .select({ id: featureFlags.id })
    .from(featureFlags)
    .where(and(eq(featureFlags.projectId, projectId), gt(featureFlags.id, before)))
    .orderBy(featureFlags.id)
  return rows.map(({ id }) => id)
}

/** Inserts a webhook that gets nothing, the same for each call. Returns its id. */
export async function webhook({ projectId }: Of): Promise<string> {
  const [known] = await database()
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(eq(webhooks.projectId, projectId))
    .limit(1)
  if (known) return known.id
  const id = crypto.randomUUID()
  await database()
    .insert(webhooks)
    .values({
      id,
      projectId,
      url: 'https://hooks.example.com/',
      events: ['Person.deleted'],
      secret: await sealSecret(env, newSecret()),
      createdAt: AT,
    })
  return id
}

/** Inserts a failed delivery of that webhook. */
export async function delivery(tenant: Of): Promise<{ webhook_id: string; id: number }> {
  const webhookId = await webhook(tenant)
  const [row] = await database()
    .insert(webhookDeliveries)
    .values({
      webhookId,
      entryId: crypto.randomUUID(),
      event: 'Person.deleted',
      status: 'failed',
      createdAt: AT,
    })
    .returning({ id: webhookDeliveries.id })
  return { webhook_id: webhookId, id: row!.id }
}

/** Inserts a disabled approval policy, the same for each call. Returns its id. */
export async function approvalPolicy({
  projectId,
  user,
}: Pick<Tenant, 'projectId' | 'user'>): Promise<string> {
  const values = {
    id: crypto.randomUUID(),
    projectId,
    actionKey: 'feature_flag.update' as const,
    conditions: {},
    quorum: 1,
    approvers: [user.id],
    bypassLevels: [],
    expiresAfterSeconds: 86_400,
    enabled: false,
    createdAt: AT,
    updatedAt: AT,
  }
  const [row] = await database()
    .insert(approvalPolicies)
    .values(values)
    .onConflictDoUpdate({
      target: [approvalPolicies.projectId, approvalPolicies.actionKey],
      set: { enabled: false },
    })
    .returning({ id: approvalPolicies.id })
  return row!.id
}

/** Inserts a request of the tenant's user to disable a new flag, on which they may vote. Returns its id. */
export async function changeRequest(tenant: Pick<Tenant, 'projectId' | 'user' | 'flag'>): Promise<string> {
  const flag = await tenant.flag()
  const id = crypto.randomUUID()
  await database()
    .insert(changeRequests)
    .values({
      id,
      projectId: tenant.projectId,
      flagId: flag.id,
      actionKey: 'feature_flag.disable',
      change: {
        flagKey: flag.key,
        body: { active: false },
        before: { active: true },
        version: 1,
        wasDeleted: false,
        updatedAt: AT,
      },
      policy: {
        quorum: 1,
        users: [tenant.user.id],
        allow_self_approve: true,
        conditions: {},
        bypass_org_membership_levels: [],
      },
      votes: [],
      createdById: tenant.user.id,
      createdAt: AT,
      updatedAt: AT,
      expiresAt: '2099-01-01T00:00:00.000000Z',
      endsAt: '2099-01-01T00:00:00.000000Z',
    })
  return id
}
