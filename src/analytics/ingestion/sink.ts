// Where ingestion writes rows: an analytics store.
import type { IngestionRows } from '../../outbox/ingestion-rows'

export interface Sink {
  /**
   * Writes rows of one project: an event once for its uuid, a copy unless a later version is there. Repeating it changes nothing.
   * @throws when the store does not answer or does not take a row; then some of the rows may be written.
   */
  write(projectId: number, rows: IngestionRows): Promise<void>
  /** Whether an error is about a row, so that other rows may pass without it. */
  isAboutRow(error: unknown): boolean
}
