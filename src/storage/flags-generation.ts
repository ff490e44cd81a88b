// The generation of a project's flags: every batch that changes what evaluation reads increments it.
import { eq, sql } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { Database } from './database'
import { prepareOnce } from './prepare-once'

const bump = prepareOnce<{ projectId: number }, { generation: number }[]>((db) =>
  db
    .update(projects)
    .set({ flagsGeneration: sql`flags_generation + 1` })
    .where(eq(projects.id, sql.placeholder('projectId')))
    .returning({ generation: projects.flagsGeneration }),
)

/** Required in every batch that writes flags, cohorts, group types or contexts. Returns the generation that the batch begins. */
export const bumpGeneration = (db: Database, projectId: number) => bump(db, { projectId })

/** Selects the generation and the project's columns that evaluation needs. */
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
