// The one error that verbs throw. http/render-error.ts turns it into a response.

/**
 * How an error's body looks: the envelope, the envelope without its `attr`, `{error}`, `{detail}`, both of these, `{success: false, error}`,
 * plain text, or nothing at all.
 */
export type ErrorShape =
  | 'envelope'
  | 'without attr'
  | 'error'
  | 'detail'
  | 'error+detail'
  | 'success+error'
  | 'text'
  | 'empty'

export interface ApiErrorInit {
  status: number
  type: string
  code: string
  detail: string
  /** Path of the failing field, joined with `__`; null for the request as a whole. */
  attr?: string | null
  shape?: ErrorShape
  /** Further members of the body. */
  more?: Record<string, unknown> | undefined
  headers?: Record<string, string>
  /** What went wrong underneath: for the log, never for the caller. */
  cause?: unknown
}

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly type: string
  readonly code: string
  readonly attr: string | null
  readonly shape: ErrorShape
  readonly more: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(init: ApiErrorInit) {
    super(init.detail, init.cause === undefined ? {} : { cause: init.cause })
    this.status = init.status
    this.type = init.type
    this.code = init.code
    this.attr = init.attr ?? null
    this.shape = init.shape ?? 'envelope'
    this.more = init.more ?? {}
    this.headers = init.headers ?? {}
  }

  get detail(): string {
    return this.message
  }
}

/** The ApiError that an error is, or was caused by: Drizzle wraps whatever a statement rejects with. Null for a crash. */
export function apiErrorIn(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  return error instanceof Error && error.cause ? apiErrorIn(error.cause) : null
}

/** 400: a field, or with `attr` null the request as a whole, is not acceptable. */
export const invalid = (attr: string | null, detail: string, code = 'invalid_input') =>
  new ApiError({ status: 400, type: 'validation_error', code, detail, attr })

/** 400 with the body `{error}`, which the spec gives to some refusals. */
export const invalidInWords = (detail: string) =>
  new ApiError({ status: 400, type: 'validation_error', code: 'invalid_input', detail, shape: 'error' })

/** 400: the body is not the JSON that it claims to be. */
export const malformed = (reason: string) =>
  new ApiError({
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail: `JSON parse error - ${reason}`,
  })

const unauthorized = (code: string, detail: string) =>
  new ApiError({ status: 401, type: 'authentication_error', code, detail })

/** 401: the request carries no credential. */
export const notAuthenticated = () =>
  unauthorized('not_authenticated', 'Authentication credentials were not provided.')

/** 401: the request carries a credential that opens nothing. */
export const authenticationFailed = (detail: string) => unauthorized('authentication_failed', detail)

/** 403. */
export const permissionDenied = (detail: string, code = 'permission_denied') =>
  new ApiError({ status: 403, type: 'authentication_error', code, detail })

/** 404. Never says what kind of thing is missing, unless `detail` does. */
export const notFound = (detail = 'Not found.') =>
  new ApiError({ status: 404, type: 'invalid_request', code: 'not_found', detail })

/** 404 with the body `{error}` and further members, which the spec gives to missing versions of endpoints. */
export const notFoundInWords = (detail: string, more?: Record<string, unknown>) =>
  new ApiError({ status: 404, type: 'invalid_request', code: 'not_found', detail, shape: 'error', more })

/** 404 with no body, where the spec or existing clients want none. */
export const notFoundWithoutBody = () =>
  new ApiError({
    status: 404,
    type: 'invalid_request',
    code: 'not_found',
    detail: 'Not found.',
    shape: 'empty',
  })

/** 405, with the methods that the path does answer. */
export const methodNotAllowed = (method: string, allowed: string[]) =>
  new ApiError({
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: `Method "${method}" not allowed.`,
    headers: { Allow: allowed.join(', ') },
  })

/** 409. Upstream clients know this one as a `server_error`. */
export const conflict = (detail: string) =>
  new ApiError({ status: 409, type: 'server_error', code: 'conflict', detail })

/** 503: storage did not answer in time. Nothing was half-written; the caller may try again. */
export const unavailable = (
  detail = 'The database is temporarily unavailable. Please retry.',
  cause?: unknown,
) =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'database_unavailable',
    detail,
    headers: { 'Retry-After': '1' },
    cause,
  })

/** 503: the database takes no more rows. Nothing was written; reads go on. */
export const databaseFull = (cause?: unknown) =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'database_full',
    detail: 'The database is full, so nothing was written. The operator of this service has to free space.',
    headers: { 'Retry-After': '60' },
    cause,
  })
