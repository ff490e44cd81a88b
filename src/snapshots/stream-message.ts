// The message to isolates that hold streams of a project.
import type { Published } from './manifest'

export interface StreamMessage {
  generation: number
  /** Enough to serve the generation without asking for it; null on connecting, and where it is large. */
  published: Published | null
  /** On connecting: whether a client may have evaluated an earlier generation just now. */
  isRecent?: boolean
}

/** Streams of one object. */
export const MAX_STREAMS_PER_OBJECT = 1_000
