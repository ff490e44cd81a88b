// An operation that SDKs call: data, like those of the management API, but with what grew around SDKs: several paths, bodies that are
// compressed or base64, a public token in place of a key.
import type * as z from 'zod'
import type { Project } from '../auth/actor'
import type { Deps } from '../deps'
import type { ResponseBody } from '../http/operation'
import type { BodyLimits } from './body/read-body'
import type { SdkProject } from '../snapshots/document'

export type SdkMethod = 'get' | 'post'

export interface SdkContext {
  deps: Deps
  request: Request
  /** The request's absolute URL, for its query. */
  url: URL
  /** What the log knows the request by; the answer's `X-Request-Id`. */
  requestId: string
  /** What the path names. */
  params: Readonly<Record<string, string>>
  /**
   * The request's body, inflated and parsed, whatever of the forms that SDKs use it has; read once.
   * A body of more than 64 KiB is refused while it is read when every project token at its start is unknown.
   * @param limits of the body; default SMALL_BODY.
   * @throws 400 when it is empty or cannot be read, 401 for an unknown token, 413 when it is too large, 503 when the isolate reads too many
   * large bodies.
   */
  readBody(limits?: BodyLimits): Promise<unknown>
  /**
   * The project of a public token; it is named in the log from then on.
   * @throws 401 when `token` is not one.
   */
  projectOf(token: unknown): Promise<SdkProject>
  /**
   * The project that a personal API key may read flags of; who calls is named in the log from then on, and the call counted.
   * @param id of the project; `@current` for the one that the key's user works in.
   * @throws 401 or 403 as in the management API; 404 when there is no such project; 429 when the key calls too often.
   */
  projectOfKey(id: number | '@current'): Promise<Project>
}

export interface SdkOperation {
  /** Unique; OpenAPI's operationId. */
  id: string
  methods: readonly SdkMethod[]
  /** Each answers with and without its trailing slash. The first is the documented one. */
  paths: readonly [string, ...string[]]
  summary: string
  description?: string
  /** Who may call: anybody who knows the project's public token, or the holder of a key. */
  security: 'projectToken' | 'personalApiKey'
  /** For the document; `handle` reads the body itself. */
  body?: z.ZodType
  query?: z.ZodType
  /** For the document: what the path names. */
  params?: z.ZodType
  /** By status. The lowest 2xx is what `handle` answers with. */
  responses: Record<number, ResponseBody>
  /** Returns the body of the answer, or a Response for anything out of the ordinary. */
  handle(context: SdkContext): Promise<unknown>
}
