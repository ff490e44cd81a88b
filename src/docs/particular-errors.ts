// Errors of single operations, where what operations share would mislead or say too little; made by the service's own code, as those are.
import { lockedOut, SECOND_FACTOR_LIMIT } from '../account/sign-in/limits'
import { secondFactorRequired } from '../account/operations/sign-in'
import { signInExpired, tooManyCodes, wrongCode } from '../account/sign-in/second-factor'
import { wrongCredentials } from '../account/sign-in/sign-in'
import { passwordCapacity } from '../account/password/hash-limit'
import { queryCapacity, queryMemoryLimit, queryTimeout, queryTooLarge } from '../analytics/engine/limits'
import { tooManyAtOnce } from '../analytics/engine/limits'
import { throttled } from '../http/throttle'
import { nameTaken } from '../endpoints/checks'
import { type ApiError, permissionDenied, unavailable } from '../errors'
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

const PASSWORD_ERRORS = {
  503: { 'Too many passwords are checked at once': passwordCapacity(), 'Storage is busy': unavailable() },
} satisfies Record<number, Errors>

const OFREP_ERRORS = { 401: TOKEN_ERRORS, 429: { 'Evaluations are used up': quotaExceeded() } }

/** By operation and status. What is said of one inside projects holds inside environments. */
export const PARTICULAR: Readonly<Record<string, Readonly<Record<number, Errors>>>> = {
  login_create: {
    ...PASSWORD_ERRORS,
    400: { 'A wrong password': wrongCredentials() },
    401: { 'A second factor is needed': secondFactorRequired() },
    403: {
      'Too many failures': lockedOut(),
      'A page of another origin': permissionDenied(
        'CSRF Failed: Origin checking failed - the request does not come from this site.',
      ),
    },
  },
  login_token_create: {
    400: {
      'A wrong code': wrongCode(),
      'The password was right too long ago': signInExpired(),
      'Too many codes': tooManyCodes(),
    },
  },
  signup_invite_create: PASSWORD_ERRORS,
  users_partial_update: PASSWORD_ERRORS,
  users_scene_personalisation_create: PASSWORD_ERRORS,
  users_two_factor_validate_create: { 429: { 'Too many codes': throttled(SECOND_FACTOR_LIMIT.seconds) } },
  users_validate_2fa_create: { 429: { 'Too many codes': throttled(SECOND_FACTOR_LIMIT.seconds) } },
  endpoints_create: { 400: { 'The name is taken': nameTaken() } },
  endpoints_run_create: RUN_ERRORS,
  endpoints_run_retrieve: RUN_ERRORS,
  capture: { 401: TOKEN_ERRORS },
  flags_evaluate: { 401: TOKEN_ERRORS },
  ofrep_evaluate_flags: OFREP_ERRORS,
  ofrep_evaluate_flag: OFREP_ERRORS,
  remote_config: { 401: TOKEN_ERRORS },
}
