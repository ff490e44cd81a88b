// Paths of upstream that scripts request and that this service does not have, for which the 404 says so.
import { type ApiError, notFound } from '../errors'

const UNSERVED = new Set([
  'actions',
  'annotations',
  'early_access_feature',
  'events',
  'experiments',
  'insights',
  'notebooks',
  'session_recordings',
  'surveys',
])

const IN_PROJECT = /^\/api\/(?:projects|environments)\/[^/]+\/(\w+)(?:\/|$)/

/** Returns the 404 for a path without an operation. */
export function unknownPath(path: string): ApiError {
  if (/^\/i\/v0\/ai\/?$/.test(path))
    return notFound(
      'AI events in parts (multipart/form-data) are not served here: send them as JSON to /i/v0/ai/batch/ or /batch/.',
    )
  const [, resource] = IN_PROJECT.exec(path) ?? []
  return resource !== undefined && UNSERVED.has(resource)
    ? notFound(
        `This service does not serve "${resource}" here. /docs/guide/compatibility lists what it serves, /docs every operation.`,
      )
    : notFound()
}
