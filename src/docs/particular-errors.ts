// Errors of single operations, where what operations share would mislead or say too little; made by the service's own code, as those are.
import type { ApiError } from '../errors'

/** By what happened. */
export type Errors = Readonly<Record<string, ApiError>>

/** By operation and status. What is said of one inside projects holds inside environments. */
export const PARTICULAR: Readonly<Record<string, Readonly<Record<number, Errors>>>> = {
}
