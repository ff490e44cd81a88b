// Errors of single operations, where what operations share would mislead or say too little; made by the service's own code, as those are.
import { queryCapacity, queryMemoryLimit, queryTimeout, queryTooLarge } from '../analytics/engine/limits'
import { tooManyAtOnce } from '../analytics/engine/limits'
import { throttled } from '../http/throttle'
import { nameTaken } from '../endpoints/checks'
import type { ApiError } from '../errors'
import { keyTaken } from '../flags/key'
import { quotaExceeded } from '../sdk/ofrep/request'
import { missingToken, unknownToken } from '../sdk/project-token'

/** By what happened. */
export type Errors = Readonly<Record<string, ApiError>>

const TOKEN_ERRORS: Errors = {
  'No token': missingToken(),
  'An unknown token': unknownToken('phc_TSSeFzpjqX1CwnprQqFzy89Q08NYoMokMEBgdYmyLGe'),
}

const RUN_ERRORS = {
  400: {
    'The query takes too long': queryTimeout(),
    'The result is too large': queryTooLarge(),
    'The query needs too much memory': queryMemoryLimit(),
  },
  429: { 'Too many at once': tooManyAtOnce(), 'Too often': throttled(60) },
  503: { 'The database is at capacity': queryCapacity() },
} satisfies Record<number, Errors>

const OFREP_ERRORS = { 401: TOKEN_ERRORS, 429: { 'Evaluations are used up': quotaExceeded() } }

/** By operation and status. What is said of one inside projects holds inside environments. */
export const PARTICULAR: Readonly<Record<string, Readonly<Record<number, Errors>>>> = {
  feature_flags_create: { 400: { 'The key is taken': keyTaken() } },
  endpoints_create: { 400: { 'The name is taken': nameTaken() } },
  endpoints_run_create: RUN_ERRORS,
  endpoints_run_retrieve: RUN_ERRORS,
  capture: { 401: TOKEN_ERRORS },
  flags_evaluate: { 401: TOKEN_ERRORS },
  ofrep_evaluate_flags: OFREP_ERRORS,
  ofrep_evaluate_flag: OFREP_ERRORS,
  remote_config: { 401: TOKEN_ERRORS },
}
