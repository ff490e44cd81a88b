// Puts the data set of the corpus into ClickHouse, as the consumer of the ingestion queue writes it.
import type { ClickhouseServer } from '../../../src/analytics/clickhouse/server'
import { createClickhouseSink } from '../../../src/analytics/ingestion/clickhouse-sink'
import type { SampleProject } from '../../hogql/corpus/dataset'
import { ingestionRowsOf } from '../../hogql/corpus/ingestion-rows'

/** The number of the one cohort. */
export const COHORT = 1

/** Fills a project with events, people, groups and a static cohort. */
export const loadIntoClickhouse = (
  server: ClickhouseServer,
  projectId: number,
  sample: SampleProject,
): Promise<void> => createClickhouseSink(server).write(projectId, ingestionRowsOf(sample, COHORT))
