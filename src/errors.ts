// Errors with a response. http/render-error.ts renders them.

/**
 * The form of the body: the envelope, the envelope without its `attr`, `{error}`, `{detail}`, both of these, `{success: false, error}`,
 * plain text, or nothing at all.
 */
export type ErrorShape = 'envelope' | 'error' | 'detail' | 'error+detail' | 'success+error' | 'text' | 'empty'

export interface ApiErrorInit {
  status: number
  type: string
  code: string
  detail: string
  /** The path of the failing field, joined with `__`. It is null for the request as a whole. */
  attr?: string | null
  shape?: ErrorShape
  /** Further members of the body. */
  more?: Record<string, unknown> | undefined
  headers?: Record<string, string>
  /** The cause, for the log and never for the caller. */
  cause?: unknown
}

/** The most characters of a detail, which may repeat what was sent. The rest is cut off. */
const MAX_DETAIL = 8_000

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
    super(
      init.detail.length > MAX_DETAIL ? `${init.detail.slice(0, MAX_DETAIL).toWellFormed()}…` : init.detail,
      init.cause === undefined ? {} : { cause: init.cause },
    )
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

/** Returns the ApiError in an error and its causes, because Drizzle wraps errors of statements. Returns null for other errors. */
export function apiErrorIn(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  return error instanceof Error && error.cause ? apiErrorIn(error.cause) : null
}

/** Returns the 400 for an invalid field or, with `attr` null, for the request as a whole. */
export const invalid = (attr: string | null, detail: string, code = 'invalid_input') =>
  new ApiError({ status: 400, type: 'validation_error', code, detail, attr })

/** Returns a 400 as one about another field, or about the request as a whole. Other errors stay as they are. */
export const aboutField = (attr: string | null, error: unknown): unknown =>
  error instanceof ApiError && error.status === 400 ? invalid(attr, error.detail, error.code) : error

/** Returns the 400 with the body `{error}`, for operations that document it. */
export const invalidErrorText = (detail: string) =>
  new ApiError({ status: 400, type: 'validation_error', code: 'invalid_input', detail, shape: 'error' })

/** Returns the 400 for a body that is not valid JSON. Upstream has the same text for a saved query that does not match its schema. */
export const malformed = (reason: string) =>
  new ApiError({
    status: 400,
    type: 'invalid_request',
    code: 'parse_error',
    detail: `JSON parse error - ${reason}`,
  })

const unauthorized = (code: string, detail: string) =>
  new ApiError({ status: 401, type: 'authentication_error', code, detail })

/**
 * Returns the 401 for a call without credentials.
 * @param hint the problem of the credentials
 */
export const notAuthenticated = (hint?: string) =>
  unauthorized(
    'not_authenticated',
    `Authentication credentials were not provided.${hint === undefined ? '' : ` ${hint}`}`,
  )

/** Returns the 401 for invalid credentials. */
export const authenticationFailed = (detail: string) => unauthorized('authentication_failed', detail)

export const permissionDenied = (detail: string, code = 'permission_denied') =>
  new ApiError({ status: 403, type: 'authentication_error', code, detail })

export const notFound = (detail = 'Not found.') =>
  new ApiError({ status: 404, type: 'invalid_request', code: 'not_found', detail })

/** Returns the 404 with the body `{error}` and further members, for missing versions of endpoints. */
export const notFoundErrorText = (detail: string, more?: Record<string, unknown>) =>
  new ApiError({ status: 404, type: 'invalid_request', code: 'not_found', detail, shape: 'error', more })

/** Returns the 404 without a body, for operations that document it or whose clients need it. */
export const notFoundWithoutBody = () =>
  new ApiError({
    status: 404,
    type: 'invalid_request',
    code: 'not_found',
    detail: 'Not found.',
    shape: 'empty',
  })

/** Returns the 405 with the allowed methods. */
export const methodNotAllowed = (method: string, allowed: string[]) =>
  new ApiError({
    status: 405,
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: `Method "${method}" not allowed.`,
    headers: { Allow: allowed.join(', ') },
  })

/** Returns the 409. Its type is `server_error`, as upstream. */
export const conflict = (detail: string) =>
  new ApiError({ status: 409, type: 'server_error', code: 'conflict', detail })

/** Returns the 503 of storage that timed out. Writes are atomic, so that the caller can retry. */
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

/** Returns the 503 of a full database. Nothing was written; reads still work. */
export const databaseFull = (cause?: unknown) =>
  new ApiError({
    status: 503,
    type: 'server_error',
    code: 'database_full',
    detail: 'The database is full, so nothing was written. The operator of this service has to free space.',
    headers: { 'Retry-After': '60' },
    cause,
  })
