// Writes the data set to D1 as the ingestion queue's consumer does.
import { env } from 'cloudflare:workers'
import type { BatchItem } from 'drizzle-orm/batch'
import { cohorts, propertyDefinitions } from '../../../drizzle'
import { createShardSink } from '../../../src/analytics/ingestion/shard-sink'
import type { Database } from '../../../src/storage/database'
import { runBatch } from '../../../src/storage/run-batch'
import { database } from '../../support/tenant'
import { DEFINITIONS, type SampleProject } from './dataset'
import { ingestionRowsOf } from './ingestion-rows'

/** D1 binds at most 100 values in a statement. */
const ROWS = 8
const chunks = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, at) => rows.slice(at * ROWS, (at + 1) * ROWS))

/** Fills an empty project with events, people, groups, a static cohort and the definitions of its properties. */
export async function loadIntoD1(projectId: number, sample: SampleProject): Promise<void> {
  const db = database()
  await runBatch(db, definitionRows(db, projectId))
  const [cohort] = await db
    .insert(cohorts)
    .values({ projectId, name: 'Early', isStatic: true, createdAt: '2026-03-01T00:00:00.000000Z' })
    .returning({ id: cohorts.id })
  await createShardSink(env.EVENTS).write(projectId, ingestionRowsOf(sample, cohort!.id))
}

const definitionRows = (db: Database, projectId: number): BatchItem<'sqlite'>[] =>
  chunks(
    Object.entries(DEFINITIONS).flatMap(([owner, types]) =>
      Object.entries(types).map(([name, type]) => ({ projectId, owner, name, type })),
    ),
  ).map((rows) => db.insert(propertyDefinitions).values(rows))
