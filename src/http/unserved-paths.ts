// Paths of upstream that scripts ask for and that this service does not have: the 404 says so.
import { type ApiError, notFound } from '../errors'

const UNSERVED = new Set([
  'actions',
  'annotations',
  'dashboards',
  'early_access_feature',
  'events',
  'experiments',
  'insights',
  'notebooks',
  'query',
  'session_recordings',
  'surveys',
])

const IN_PROJECT = /^\/api\/(?:projects|environments)\/[^/]+\/(\w+)(?:\/|$)/

/** The 404 for a path without an operation. */
export function unknownPath(path: string): ApiError {
  const [, resource] = IN_PROJECT.exec(path) ?? []
  return resource !== undefined && UNSERVED.has(resource)
    ? notFound(
        `This service does not serve "${resource}" here. The guide "Compatibility" lists what it serves, /docs every operation.`,
      )
    : notFound()
}
