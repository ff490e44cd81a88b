// Errors of single operations, where what operations share would mislead or say too little; made by the service's own code, as those are.
import type { ApiError } from '../errors'
import { quotaExceeded } from '../sdk/ofrep/request'
import { missingToken, unknownToken } from '../sdk/project-token'

/** By what happened. */
export type Errors = Readonly<Record<string, ApiError>>

const TOKEN_ERRORS: Errors = {
  'No token': missingToken(),
  'An unknown token': unknownToken('phc_TSSeFzpjqX1CwnprQqFzy89Q08NYoMokMEBgdYmyLGe'),
}

const OFREP_ERRORS = { 401: TOKEN_ERRORS, 429: { 'Evaluations are used up': quotaExceeded() } }

/** By operation and status. What is said of one inside projects holds inside environments. */
export const PARTICULAR: Readonly<Record<string, Readonly<Record<number, Errors>>>> = {
  capture: { 401: TOKEN_ERRORS },
  flags_evaluate: { 401: TOKEN_ERRORS },
  ofrep_evaluate_flags: OFREP_ERRORS,
  ofrep_evaluate_flag: OFREP_ERRORS,
  remote_config: { 401: TOKEN_ERRORS },
}
