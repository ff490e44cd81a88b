// The message to isolates that hold streams of a project.
import type { Mark } from './document'

export interface StreamMessage {
  generation: number
  /** The mark of the generation's document; absent in the first message. */
  mark?: Mark
  /** In the first message: whether a client may have just evaluated an earlier generation. */
  isRecent?: boolean
}

/** The most streams of one object. */
export const MAX_STREAMS_PER_OBJECT = 1_000
