import type { IngestionRows } from '../../outbox/ingestion-rows'

export interface Sink {
  /**
   * Writes rows of one project: an event once, a copy unless a later version is stored. It can be repeated.
   * @throws when the store is unavailable or rejects a row; then some rows may be written
   */
  write(projectId: number, rows: IngestionRows): Promise<void>
  /** Whether an error concerns a row, so that other rows may pass without it. */
  isAboutRow(error: unknown): boolean
}
