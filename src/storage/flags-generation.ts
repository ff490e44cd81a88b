// A project's generation: counts up with every change that evaluation can see, in the very batch that makes the change.
import { eq, sql } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { Database } from './database'

/** The statement that belongs into every batch that writes flags, cohorts, group types or contexts. */
export const bumpGeneration = (db: Database, projectId: number) =>
  db
    .update(projects)
    .set({ flagsGeneration: sql`flags_generation + 1` })
    .where(eq(projects.id, projectId))

/** The statement that reads the generation with what else of the project evaluation needs. */
export const selectGeneration = (db: Database, projectId: number) =>
  db
    .select({
      generation: projects.flagsGeneration,
      apiToken: projects.apiToken,
      organizationId: projects.organizationId,
      requireEvaluationContexts: projects.requireEvaluationContexts,
      timezone: projects.timezone,
      matchingVersion: projects.propertyMatchingVersion,
      quotaLimited: projects.quotaLimited,
      shard: projects.shard,
      queryEngine: projects.queryEngine,
    })
    .from(projects)
    .where(eq(projects.id, projectId))
