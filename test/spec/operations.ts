// The operations of the specification, transcribed by hand.
import type * as z from 'zod'
import type { Method } from '../../src/http/operation'

export interface SpecOperation {
  method: Method
  path: string
  /** Null: sessions only. */
  scope: string | null
  /** The status, and the body; null for none. */
  success: readonly [number, z.ZodType | null]
  /** The body of a 404 for an unknown object; default: the envelope. */
  missing?: null
}
