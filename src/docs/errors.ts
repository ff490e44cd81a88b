// Errors that operations share, as components of the OpenAPI document.
import type { UnknownObject } from '../json'
import {
  ApiError,
  authenticationFailed,
  conflict,
  invalid,
  malformed,
  notAuthenticated,
  notFound,
  permissionDenied,
  databaseFull,
  unavailable,
} from '../errors'
import { REQUEST_ID } from '../flags/approvals/request-schema'
import { readOnlyMembership } from '../auth/access'
import { twoFactorRequired } from '../auth/authorize'
import { keysNotSupported } from '../auth/scopes'
import { MAX_JSON_VALUES, tooLarge, unsupportedType } from '../http/body/body'
import { timedOut } from '../http/body/body-pieces'
import { overloaded } from '../http/limits/request-memory'
import { tooManyValues } from '../http/body/json-size'
import { bodyOf } from '../http/render-error'
import { throttled } from '../http/limits/throttle'
import { tooOften } from './limits'
import type { OperationErrors } from '../http/docs/operation-docs'

interface SharedError {
  /** The name of the component. */
  name: string
  description: string
  /** Examples by cause. */
  examples: OperationErrors
}

const SHARED: Record<number, SharedError> = {
  400: {
    name: 'Invalid',
    description: 'The request is invalid. Nothing has changed.',
    examples: {
      'A field is missing': invalid('key', 'This field is required.', 'required'),
      'A field is invalid': invalid(
        'key',
        'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
        'invalid_key',
      ),
      'The body is malformed': malformed("Expected ',' or '}' after property value in JSON at position 24"),
    },
  },
  401: {
    name: 'Unauthenticated',
    description: 'Credentials are missing or invalid.',
    examples: {
      'No key and no session': notAuthenticated(),
      'A wrong key': authenticationFailed(
        'Personal API key found in request Authorization header is invalid.',
      ),
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The caller lacks the permission.',
    examples: {
      'A scope is missing': permissionDenied("API key missing required scope 'feature_flag:write'"),
      'A project of another organization': permissionDenied("You don't have access to the project."),
      'A viewer changes something': readOnlyMembership('Harbour'),
      'Keys may not call this': keysNotSupported(),
      'An organization requires a second factor, which the user has yet to set up': twoFactorRequired(),
      'A session without its CSRF token': permissionDenied('CSRF Failed: CSRF token missing.'),
    },
  },
  404: {
    name: 'NotFound',
    description: 'It does not exist, or the caller has no access to it.',
    examples: { 'Not found': notFound() },
  },
  408: {
    name: 'RequestTimeout',
    description: 'The body arrived too slowly.',
    examples: { 'Too slow': timedOut() },
  },
  409: {
    name: 'Conflict',
    description:
      'Another caller changed the same fields since this caller read them, or a policy holds the change until others approve it. Nothing has changed.',
    examples: {
      'The same fields changed': conflict(
        'The feature flag was updated by ada@example.com since you started editing it. Please refresh and try again.',
      ),
      'The change needs approval': new ApiError({
        status: 409,
        type: 'server_error',
        code: 'approval_required',
        detail: `This change needs approval. Change request ${REQUEST_ID} waits for it.`,
        more: { change_request_id: REQUEST_ID },
      }),
    },
  },
  413: {
    name: 'TooLarge',
    description:
      'The body is larger than 1 MiB or has more than 100,000 JSON values; events: 20 MiB and 200,000 values.',
    examples: { 'Too large': tooLarge(), 'Too many values': tooManyValues(MAX_JSON_VALUES) },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is not declared as JSON: send `Content-Type: application/json`.',
    examples: { 'A form': unsupportedType('application/x-www-form-urlencoded') },
  },
  429: {
    name: 'Throttled',
    description: tooOften(),
    examples: { Throttled: throttled(60) },
  },
  503: {
    name: 'Unavailable',
    description:
      'Storage timed out or is full, or too many large requests came at once. Writes are atomic: the request can be retried.',
    examples: {
      'Storage is busy': unavailable(),
      'The database is full': databaseFull(),
      'Too many large requests': overloaded(),
    },
  },
}

/** Response headers by the name of their component. */
export const HEADERS: Record<string, UnknownObject> = {
  RequestId: {
    description: 'Id of the request in the log.',
    schema: { type: 'string', format: 'uuid' },
    example: '0c8d7c0e-3a54-4a0e-9d0b-7b0e1c3f5a21',
  },
  RetryAfter: {
    description: 'Seconds until a retry makes sense.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  WwwAuthenticate: {
    description: 'Authentication scheme.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'Methods of the path.',
    schema: { type: 'string' },
    example: 'GET, PATCH',
  },
  Location: {
    description: 'Target of the redirect.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/settings/user-personal-integrations?chat_link_success=1',
  },
  ETag: {
    description:
      'Version of the response. Send it in `If-None-Match`: the response is 304 while it is current.',
    schema: { type: 'string' },
    example: '"5c1a0b7e"',
  },
}

/** Headers by status, besides `X-Request-Id`. */
const HEADERS_OF: Record<number, Record<string, string>> = {
  302: { Location: 'Location' },
  304: { ETag: 'ETag' },
  401: { 'WWW-Authenticate': 'WwwAuthenticate' },
  405: { Allow: 'Allow' },
  429: { 'Retry-After': 'RetryAfter' },
  503: { 'Retry-After': 'RetryAfter' },
}

export const headersOf = (status: number, more: Record<string, string> = {}): UnknownObject =>
  Object.fromEntries(
    Object.entries({ ...HEADERS_OF[status], ...more, 'X-Request-Id': 'RequestId' }).map(([header, name]) => [
      header,
      { $ref: `#/components/headers/${name}` },
    ]),
  )

/**
 * Returns the examples of a media type.
 * @param errors by cause
 */
export const errorExamples = (
  status: number,
  errors: OperationErrors = SHARED[status]?.examples ?? {},
): UnknownObject =>
  Object.fromEntries(
    Object.entries(errors).map(([summary, error]) => [
      summary.toLowerCase().replaceAll(/[^a-z]+/g, '_'),
      { summary, value: bodyOf(error) },
    ]),
  )

/** Returns a reference to the shared error of a status, if there is one. */
export const sharedError = (status: number): UnknownObject | undefined =>
  SHARED[status] && { $ref: `#/components/responses/${SHARED[status].name}` }

export const sharedDescription = (status: number): string | undefined => SHARED[status]?.description

export const errorComponents = (): Record<string, UnknownObject> =>
  Object.fromEntries(
    Object.entries(SHARED).map(([status, { name, description }]) => [
      name,
      {
        description,
        headers: headersOf(Number(status)),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Error' },
            examples: errorExamples(Number(status)),
          },
        },
      },
    ]),
  )
