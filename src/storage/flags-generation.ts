// The generation of a project's flags: every batch that changes what evaluation or the rules of flags read increments it.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../drizzle'
import { type Database, guard } from './database'

/**
 * Begins a generation, and returns it. Every batch that writes flags, cohorts, group types, contexts, approval policies or dashboards of
 * flags has this statement, or the next one.
 */
export const bumpGeneration = (db: Database, projectId: number) =>
  db
    .update(projects)
    .set({ flagsGeneration: sql`flags_generation + 1` })
    .where(eq(projects.id, projectId))
    .returning({ generation: projects.flagsGeneration })

/** Does the same where a condition holds: for a batch that changes flags only then. */
export const bumpGenerationIf = (db: Database, projectId: number, condition: SQL) =>
  db
    .update(projects)
    .set({ flagsGeneration: sql`flags_generation + 1` })
    .where(and(eq(projects.id, projectId), condition))

/** Selects the generation alone, for a write that was planned on it. */
export const selectFence = (db: Database, projectId: number) =>
  db.select({ generation: projects.flagsGeneration }).from(projects).where(eq(projects.id, projectId))

/** The first statement of a batch that writes flags: fails it when anything that their rules depend on has changed since it was read. */
export const guardFence = (db: Database, projectId: number, generation: number) =>
  guard(
    db,
    sql`EXISTS (SELECT 1 FROM ${projects} WHERE id = ${projectId} AND flags_generation = ${generation})`,
  )

/** Selects the generation and the project's columns that evaluation needs. */
export const selectGeneration = (db: Database, projectId: number) =>
  db
    .select({
      generation: projects.flagsGeneration,
      apiToken: projects.apiToken,
      organizationId: projects.organizationId,
      timezone: projects.timezone,
      matchingVersion: projects.propertyMatchingVersion,
      quotaLimited: projects.quotaLimited,
      shard: projects.shard,
      queryEngine: projects.queryEngine,
    })
    .from(projects)
    .where(eq(projects.id, projectId))
