import type { IngestionRows } from '../../outbox/ingestion-rows'

export interface Sink {
  /**
   * Writes rows of one project. An event is stored once, and a copy unless a later version is stored, so that the call can be repeated.
   * @throws when the store is unavailable or rejects a row; some rows may then be written
   */
  write(projectId: number, rows: IngestionRows): Promise<void>
  /** Whether an error is about a row, so that other rows may be accepted. */
  isAboutRow(error: unknown): boolean
}
