// Work that takes longer than a request may, and waits in the queue BUILDS. A message only names it: late and duplicate messages are
// harmless, and the minute's trigger sends lost ones again.

/** Builds the rows of a materialized version. */
export interface BuildWork {
  kind: 'build'
  projectId: number
  versionId: string
}

/** Continues the fill of a static cohort, a task of the outbox. */
export interface FillWork {
  kind: 'fill'
  taskId: string
}

export type LongWork = BuildWork | FillWork
