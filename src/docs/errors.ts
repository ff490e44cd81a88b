// The errors that operations share: each once in the document, with bodies that the service's own code makes.
import {
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
import { keysNotSupported } from '../auth/scopes'
import { MAX_JSON_VALUES, tooLarge, unsupportedType } from '../http/body'
import { overloaded } from '../http/request-memory'
import { tooManyValues } from '../http/json-size'
import { bodyOf } from '../http/render-error'
import { throttled } from '../http/throttle'
import { tooOften } from './limits'
import type { OperationErrors } from '../http/docs/operation-docs'

type Json = Record<string, unknown>

interface SharedError {
  /** What it is called among the components. */
  name: string
  description: string
  /** What a caller may be told, by what happened. */
  examples: OperationErrors
}

const SHARED: Record<number, SharedError> = {
  400: {
    name: 'Invalid',
    description: 'Something in the request is not acceptable. Nothing has changed.',
    examples: {
      'A field is missing': invalid('key', 'This field is required.', 'required'),
      'A field is not acceptable': invalid(
        'key',
        'Only letters, numbers, hyphens (-) & underscores (_) are allowed.',
        'invalid_key',
      ),
      'The body cannot be read': malformed("Expected ',' or '}' after property value in JSON at position 24"),
    },
  },
  401: {
    name: 'Unauthenticated',
    description: 'Nobody has said who calls, or what they said opens nothing.',
    examples: {
      'No key and no session': notAuthenticated(),
      'A wrong key': authenticationFailed(
        'Personal API key found in request Authorization header is invalid.',
      ),
    },
  },
  403: {
    name: 'Forbidden',
    description: 'The caller is known, and may not do this.',
    examples: {
      'A scope is missing': permissionDenied("API key missing required scope 'feature_flag:write'"),
      "Somebody else's project": permissionDenied("You don't have access to the project."),
      'Keys may not call this': keysNotSupported(),
      'A session without its CSRF token': permissionDenied('CSRF Failed: CSRF token missing.'),
    },
  },
  404: {
    name: 'NotFound',
    description: 'There is no such thing, or none in the reach of the caller.',
    examples: { 'Not found': notFound() },
  },
  409: {
    name: 'Conflict',
    description: 'Somebody else changed the same thing since the caller read it. Nothing has changed.',
    examples: {
      'The same fields changed': conflict(
        'The feature flag was updated by ada@example.com since you started editing it. Please refresh and try again.',
      ),
    },
  },
  413: {
    name: 'TooLarge',
    description:
      'The body is larger than 1 MiB or has more than 100,000 JSON values; events: 20 MiB and 500,000 values.',
    examples: { 'Too large': tooLarge(), 'Too many values': tooManyValues(MAX_JSON_VALUES) },
  },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body does not say that it is JSON: send `Content-Type: application/json`.',
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
      'Storage did not answer in time or is full, or too many large requests came at once. Nothing was half-written: the request may be repeated.',
    examples: {
      'Storage is busy': unavailable(),
      'The database is full': databaseFull(),
      'Too many large requests': overloaded(),
    },
  },
}

/** Headers that answers carry, by what they are called among the components. */
export const HEADERS: Record<string, Json> = {
  RequestId: {
    description: 'What the log knows the request by.',
    schema: { type: 'string', format: 'uuid' },
    example: '0c8d7c0e-3a54-4a0e-9d0b-7b0e1c3f5a21',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  WwwAuthenticate: {
    description: 'How to say who calls.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  Allow: {
    description: 'The methods that the path answers.',
    schema: { type: 'string' },
    example: 'GET, PATCH',
  },
  Location: {
    description: 'Where the browser goes next.',
    schema: { type: 'string', format: 'uri-reference' },
    example: '/settings/user-personal-integrations?chat_link_success=1',
  },
  ETag: {
    description:
      'The version of what was answered; sent back in `If-None-Match`, it saves an answer that is the same.',
    schema: { type: 'string' },
    example: '"5c1a0b7e"',
  },
}

/** By status, the headers of an answer besides the id of the request. */
const HEADERS_OF: Record<number, Record<string, string>> = {
  302: { Location: 'Location' },
  304: { ETag: 'ETag' },
  401: { 'WWW-Authenticate': 'WwwAuthenticate' },
  405: { Allow: 'Allow' },
  429: { 'Retry-After': 'RetryAfter' },
  503: { 'Retry-After': 'RetryAfter' },
}

/** The headers of an answer, as references. */
export const headersOf = (status: number, more: Record<string, string> = {}): Json =>
  Object.fromEntries(
    Object.entries({ ...HEADERS_OF[status], ...more, 'X-Request-Id': 'RequestId' }).map(([header, name]) => [
      header,
      { $ref: `#/components/headers/${name}` },
    ]),
  )

/** What an error of a status looks like, as examples of a media type. @param errors by what happened */
export const errorExamples = (
  status: number,
  errors: OperationErrors = SHARED[status]?.examples ?? {},
): Json =>
  Object.fromEntries(
    Object.entries(errors).map(([summary, error]) => [
      summary.toLowerCase().replaceAll(/[^a-z]+/g, '_'),
      { summary, value: bodyOf(error) },
    ]),
  )

/** A reference to the error that operations share, for a status that has one. */
export const sharedError = (status: number): Json | undefined =>
  SHARED[status] && { $ref: `#/components/responses/${SHARED[status].name}` }

/** What the error that operations share means, for a status that has one. */
export const sharedMeaning = (status: number): string | undefined => SHARED[status]?.description

/** The errors that operations share, by name. */
export const errorComponents = (): Record<string, Json> =>
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
