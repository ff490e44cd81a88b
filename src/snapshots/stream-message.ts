// The message to isolates that hold streams of a project.
import type { Mark } from './document'

export interface StreamMessage {
  generation: number
  /** Names the document of the generation; absent on connecting. */
  mark?: Mark
  /** On connecting: whether a client may have evaluated an earlier generation just now. */
  isRecent?: boolean
}

/** Streams of one object. */
export const MAX_STREAMS_PER_OBJECT = 1_000
