// Operations of SDKs. Unlike those of the management API, they have several paths, compressed or base64 bodies, and a public token
// instead of a key.
import type * as z from 'zod'
import type { Project } from '../auth/actor'
import type { Deps } from '../deps'
import { ErrorBody } from '../http/error-body'
import type { ResponseBody } from '../http/operation'
import type { BodyLimits } from './body/read-body'
import type { SdkProject } from '../snapshots/document'
import type { VisitorIds } from './cookieless'

/** Errors of operations with a body and a token. */
export const BODY_ERRORS = { 401: ErrorBody, 408: ErrorBody, 413: ErrorBody, 415: ErrorBody, 503: ErrorBody }

export type SdkMethod = 'get' | 'post'

export interface SdkContext {
  deps: Deps
  request: Request
  url: URL
  /** The id in the header `X-Request-Id` of the response. */
  requestId: string
  params: Readonly<Record<string, string>>
  /**
   * Reads the body once, inflated and parsed. A body of more than 64 KiB is rejected early when all project tokens at its start are
   * unknown.
   * @param limits the default is SMALL_BODY
   * @throws 400 when it is empty or invalid, 401 for an unknown token, 413 when it is too large, 503 when the isolate reads too many
   * large bodies
   */
  readBody(limits?: BodyLimits): Promise<unknown>
  /** Returns the project of a public token, and adds it to the log entry. @throws 401 for an unknown token */
  projectOf(token: unknown): Promise<SdkProject>
  /** Returns the function that computes the ids of visitors who allow no stored identity. */
  visitorIdsOf(project: SdkProject): VisitorIds
  /**
   * Authorizes a personal API key to read flags of a project, adds both to the log entry, and counts the call.
   * @param id `@current` for the current project of the key's user
   * @throws 401 or 403 as in the management API; 404 without such a project; 429 over the rate limit
   */
  projectOfKey(id: number | '@current'): Promise<Project>
}

export interface SdkOperation {
  /** The unique id, which is OpenAPI's operationId. */
  id: string
  methods: readonly SdkMethod[]
  /** Paths, which match with and without a trailing slash. The first one is documented. */
  paths: readonly [string, ...string[]]
  summary: string
  description?: string
  security: 'projectToken' | 'personalApiKey'
  /** The schema of the body, which only documents it: `handle` reads the body. */
  body?: z.ZodType
  query?: z.ZodObject
  params?: z.ZodType
  /** Responses by status. The lowest 2xx is the default of `handle`. */
  responses: Record<number, ResponseBody>
  /** Returns the response body, or a Response. */
  handle(context: SdkContext): Promise<unknown>
}
