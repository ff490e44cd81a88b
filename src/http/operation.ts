// An operation: one literal, from which routing, authorization, validation, OpenAPI and the security suite derive.
import type * as z from 'zod'
import type { Actor, Organization, Project, TargetUser } from '../auth/actor'
import type { ImpersonationRule } from '../auth/impersonation'
import type { RecentAuth } from '../auth/reauthentication'
import type { RequiredScope, Scope } from '../auth/scopes'
import type { Deps } from '../deps'
import type { UnknownObject } from '../json'
import type { BodyRule } from './body/body'
import type { KeyRate, Throttle } from './limits/throttle'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** The schema of a response, or `empty` when it has no body. */
export type ResponseBody = z.ZodType | 'empty'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>

export interface Context<Params = unknown, Query = unknown, Body = unknown> {
  deps: Deps
  /** The caller. Public operations must not read it. */
  actor: Actor
  /** The project of the path. Operations outside projects must not read it. */
  project: Project
  /** The organization of the path, or of its project. Operations outside of both must not read it. */
  organization: Organization
  /** The user of the path. Operations outside `/api/users/:uuid/` must not read it. */
  targetUser: TargetUser
  params: Params
  query: Query
  body: Body
  /** The absolute URL of the request, from which lists build `next` and `previous`. */
  url: URL
  /** Reports the caller of a public operation, for the log. */
  setActor(actor: Actor): void
  /** The request, for cookies and headers. Its body is already read. */
  request: Request
}

export interface TargetUserRule {
  /** Whether staff may name other users. */
  staff?: true
  /** The error text for other users, if it is not the default. */
  rejection?: string
  /** Whether the body is validated first, so that 400 takes precedence over 403. */
  afterBody?: true
}

export interface Operation<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> extends BodyRule {
  /** The unique id, which is OpenAPI's operationId. */
  id: string
  method: Method
  /**
   * The path with a trailing slash, which callers may leave out. `:project_id` or `:environment_id` makes it an operation inside a
   * project, `:organization_id` one inside an organization, `/api/users/:uuid/` one on a user.
   */
  path: string
  /** Whether a GET changes something, as the specification has it. HEAD is then a 405. */
  changesOnGet?: true
  summary: string
  description?: string
  /** The scope that an API key needs, `any`, or null for sessions only. Sessions have all scopes. */
  scope: RequiredScope
  /** A second scope that a key needs, because the operation gives access to another area as well. */
  alsoScope?: Scope
  /**
   * Whether viewers may call a write, which then checks levels itself. All other writes in a project or an organization are a 403 for them.
   */
  forViewers?: true
  /** Whether the operation needs no credentials; `scope` is then null, and there is no actor. */
  access?: 'public'
  /** Whether a session must be recent. */
  recentAuth?: RecentAuth
  /**
   * Whether a session may call it whose user still has to set up the second factor that an organization requires
   * (docs/reference/accounts.md#second-factor). Keys are not limited.
   */
  beforeTwoFactor?: true
  /**
   * The access of staff who impersonate a user. By default they can read, and write everything except the user's own data
   * (`impersonationRuleOf`).
   */
  impersonation?: ImpersonationRule
  /** The users that a path `/api/users/:uuid/` may name besides the caller. Only staff may name others. */
  targetUser?: TargetUserRule
  /** Rate limits of a user, or of a network for a public operation, with the shortest window first. */
  throttles?: readonly Throttle[]
  /** The rate limiter of API keys, or null if the operation counts calls itself. */
  keyRate?: KeyRate | null
  params?: Params
  /** The query parameters. Others are a 400, except in public operations. */
  query?: Query
  /** Parameters that may be given several times. */
  repeatable?: readonly string[]
  body?: Body
  /**
   * Returns where the value of an unknown key of the body belongs, as a path from the body, for the detail of the 400. Null means that the
   * key is ignored.
   */
  placeOf?(key: string, sent: UnknownObject): string | null
  /** The record whose fields callers may send back, if it is not the response. */
  record?: z.ZodType
  /**
   * The form of validation errors, if it is not the envelope: `error` is a body with one sentence; `parse error` reports a body that does
   * not match as malformed (docs/reference/endpoints.md#errors-of-saved-queries).
   */
  errorForm?: 'error' | 'parse error'
  /**
   * Responses by status. `handle` responds with the lowest 2xx. Errors that follow from the method, the path and the access are not among
   * them: `responsesOf` adds them to the document.
   */
  responses: Record<number, ResponseBody>
  /** Returns the response body, nothing for an empty one, or a Response. */
  handle(context: Context<Output<Params>, Output<Query>, Output<Body>>): Promise<unknown>
}

/** Declares an operation. The types of params, query and body in `handle` come from their schemas. */
export const operation = <
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  definition: Operation<Params, Query, Body>,
): Operation => definition as unknown as Operation

/** Declares the PUT of a resource that works like its PATCH, as upstream's does. */
export const putOf = (patch: Operation, id: string, summary = patch.summary): Operation => ({
  ...patch,
  id,
  method: 'put',
  summary,
  description: 'The same as PATCH: fields that are absent stay the same.',
})

/** Returns the same operation under the other name of projects. An environment is its project. */
export const inEnvironment = (one: Operation): Operation => ({
  ...one,
  id: `environments_${one.id}`,
  path: one.path.replace('/api/projects/', '/api/environments/').replace(':project_id', ':environment_id'),
})

/** Returns the status of success. */
export const successStatus = ({ responses }: Pick<Operation, 'responses'>): number =>
  Math.min(
    ...Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300),
  )

/** Returns false when every call is rejected, whatever it sends. */
export const canSucceed = (each: Pick<Operation, 'responses'>): boolean =>
  Number.isFinite(successStatus(each))
