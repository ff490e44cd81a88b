// What else refers to a flag, and may need it: experiments and early-access features.
import { eq, sql } from 'drizzle-orm'
import { earlyAccessFeatures, experiments } from '../../drizzle'
import type { Database } from '../storage/database'

/** The experiments of a flag, deleted ones too. */
export const selectExperiments = (db: Database, flagId: number) =>
  db
    .select({
      id: experiments.id,
      name: experiments.name,
      deleted: experiments.deleted,
      running: sql<number>`(start_date IS NOT NULL AND end_date IS NULL AND NOT deleted)`.as('running'),
    })
    .from(experiments)
    .where(eq(experiments.flagId, flagId))
    .orderBy(experiments.id)

/** The early-access features of a flag. */
export const selectFeatures = (db: Database, flagId: number) =>
  db
    .select({ id: earlyAccessFeatures.id, name: earlyAccessFeatures.name })
    .from(earlyAccessFeatures)
    .where(eq(earlyAccessFeatures.flagId, flagId))
