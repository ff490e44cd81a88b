// How many live flags a project has, and whether there is room for another. Triggers count them.
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { projects } from '../../drizzle'
import type { Database } from '../storage/database'

/** How many live flags the project has. */
export const selectFlagCount = (db: Database, projectId: number) =>
  db.select({ live: projects.liveFlagCount }).from(projects).where(eq(projects.id, projectId))

/** The condition, for a guard, that there is room for another. */
export const hasRoom = (projectId: number, most: number): SQL =>
  sql`EXISTS (SELECT 1 FROM ${projects} WHERE ${and(eq(projects.id, projectId), sql`live_flag_count < ${most}`)})`
