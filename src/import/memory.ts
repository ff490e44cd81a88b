// The state that an import keeps: fingerprints of what it wrote, to detect later edits, and its position in people and events.
import type { Stream } from './model'
import type { Remembered } from './plan'

/** The position of the next page of a stream. */
export interface Progress {
  cursor: string | null
  rows: number
  /** The edition of the source in which the position is. */
  edition?: string
  /**
   * Whether the end of the stream was reached. A later import then begins again, or continues at the cursor if the stream has only grown.
   */
  done: boolean
  /** The time of the newest event of the last import that was complete. */
  until?: string
}

export interface ImportState {
  /** Items by kind and key. */
  items: Record<string, Remembered>
  streams: Partial<Record<Stream, Progress>>
}

/** Outlives the import. */
export interface Memory extends Readonly<ImportState> {
  /** @param items forgets those that are undefined */
  rememberItems(items: Readonly<Record<string, Remembered | undefined>>): void
  rememberStream(stream: Stream, progress: Progress): void
}
