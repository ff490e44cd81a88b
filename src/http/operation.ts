// An operation is data: one literal from which routing, authorization, validation, OpenAPI and the security suite derive.
import type * as z from 'zod'
import type { Actor, Project } from '../auth/actor'
import type { RequiredScope } from '../auth/scopes'
import type { Deps } from '../deps'

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete'

/** What a status answers with: a schema, or the word for a body that is not there. */
export type ResponseBody = z.ZodType | 'empty'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>

export interface Context<Params = unknown, Query = unknown, Body = unknown> {
  deps: Deps
  actor: Actor
  /** The project of the path. Operations outside projects must not read it. */
  project: Project
  params: Params
  query: Query
  body: Body
  /** The request's absolute URL: lists build `next` and `previous` from it. */
  url: URL
}

export interface Operation<
  Params extends z.ZodType | undefined = z.ZodType | undefined,
  Query extends z.ZodType | undefined = z.ZodType | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
> {
  /** Unique; OpenAPI's operationId. */
  id: string
  method: Method
  /** With the trailing slash; answers without it too. `:project_id` makes it an operation inside a project. */
  path: string
  summary: string
  description?: string
  /** What an API key must carry; null when no key may call this. */
  scope: RequiredScope
  params?: Params
  query?: Query
  body?: Body
  /** The body of a refused query or body, where the spec wants another than the envelope. */
  refusals?: 'error'
  /** By status. The lowest 2xx is what `handle` answers with. */
  responses: Record<number, ResponseBody>
  /** Request bodies for the reference page; the first is the default. */
  examples?: { body?: unknown }
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
