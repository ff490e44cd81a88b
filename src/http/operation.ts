// An operation is data: one literal from which routing, authorization, validation, OpenAPI and the security suite derive.
import type * as z from 'zod'
import type { Actor, Organization, Project, TargetUser } from '../auth/actor'
import type { ImpersonationRule } from '../auth/impersonation'
import type { RecentAuth } from '../auth/reauthentication'
import type { RequiredScope } from '../auth/scopes'
import type { Deps } from '../deps'
import type { KeyRate, Throttle } from './throttle'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** What a status answers with: a schema, or the word for a body that is not there. */
export type ResponseBody = z.ZodType | 'empty'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>

export interface Context<Params = unknown, Query = unknown, Body = unknown> {
  deps: Deps
  /** Who calls. Operations that anybody may call must not read it. */
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
  /** The request's absolute URL: lists build `next` and `previous` from it. */
  url: URL
  /** Told who calls, for the log, where an operation that anybody may call found out. */
  setActor(actor: Actor): void
  /** The request itself, for its cookies and for what it says of its sender. Its body is read already. */
  request: Request
}

export interface TargetUserRule {
  /** Whether staff may name somebody else. */
  staff?: true
  /** What somebody else is told, where it is not the usual text. */
  rejection?: string
  /** The body is checked first: a bad one is a 400, whoever the path names. */
  afterBody?: true
}

export interface Operation<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Unique; OpenAPI's operationId. */
  id: string
  method: Method
  /**
   * With the trailing slash; answers without it too. `:project_id` or `:environment_id` makes it an operation inside a project,
   * `:organization_id` one inside an organization, `/api/users/:uuid/` one on a user.
   */
  path: string
  summary: string
  description?: string
  /** What an API key must carry: a scope, `any`, or null when no key may call this. Sessions have no scopes and call everything. */
  scope: RequiredScope
  /** `anybody` may call without saying who they are; then `scope` is null and there is no actor. */
  access?: 'anybody'
  /** For sessions: whether signing in must not be long ago. */
  recentAuth?: RecentAuth
  /**
   * What staff may do of it while they look as somebody else. Unless it is said: reads are open, and so are writes, but for those to what
   * belongs to the user alone (`impersonationRuleOf`).
   */
  impersonation?: ImpersonationRule
  /** For paths under `/api/users/:uuid/`: whose uuid may stand there besides `@me` and the caller's own (decision 11). */
  targetUser?: TargetUserRule
  /** How often a user may call this, where the deployment counts; the shortest window first. */
  throttles?: readonly Throttle[]
  /** What counts a key's calls in place of the limiter for all operations; null where the operation counts for itself. */
  keyRate?: KeyRate | null
  params?: Params
  query?: Query
  body?: Body
  /**
   * What a refused query or body is answered with, where that is not the envelope of the first field: `error` is a body of one sentence,
   * also where the body cannot be read; `parse error` says of a body of another shape that it cannot be read (reference/endpoints-api.md §0).
   */
  refusals?: 'error' | 'parse error'
  /** By status. The lowest 2xx is what `handle` answers with. */
  responses: Record<number, ResponseBody>
  /** Returns the body of the answer (nothing for an empty one), or a Response for anything out of the ordinary. */
  handle(context: Context<Output<Params>, Output<Query>, Output<Body>>): Promise<unknown>
}

/** Declares an operation; types of params, query and body flow from their schemas into `handle`. */
export const operation = <
  Params extends z.ZodType | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
>(
  definition: Operation<Params, Query, Body>,
): Operation => definition as unknown as Operation

/** The status that an operation answers with when it succeeds. */
export const successStatus = ({ responses }: Pick<Operation, 'responses'>): number =>
  Math.min(
    ...Object.keys(responses)
      .map(Number)
      .filter((status) => status < 300),
  )
