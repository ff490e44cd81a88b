// Makes a Hono router of operations. A route authorizes the caller, finds the target user, throttles, reads and validates the body, and
// handles the request.
import { zValidator } from '@hono/zod-validator'
import { type Handler, Hono, type MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { Target } from '../auth/access'
import { userOf } from '../auth/actor'
import { authorize, type Credentials, onlyReads } from '../auth/authorize'
import { clientOf } from '../auth/client'
import { cookieOf, SESSION_COOKIE } from '../auth/cookies'
import { findKeyCredential } from '../auth/key-credential'
import { impersonationRuleOf } from '../auth/impersonation'
import { ApiError, invalid, malformed, methodNotAllowed, notFound } from '../errors'
import type { AppEnv } from './app-env'
import { jsonTextOf } from './body/body'
import { idIn } from './fields'
import { rejectIgnoredParameters } from './ignored-parameters'
import { CREDENTIAL, rejectMisspeltKeys } from './body/misspelt-keys'
import { canSucceed, type Operation, successStatus } from './operation'
import { rejectOtherMethods } from './other-methods'
import { targetUserOf } from './target-user'
import { countCall, type Throttle } from './limits/throttle'
import { jsonResponse } from './text-response'
import { firstFailure } from './validation'

/** Routes the operations of an area, with and without the trailing slash. Other methods of their paths respond with 405. */
export function areaRouter(operations: readonly Operation[]): Hono<AppEnv> {
  const router = new Hono<AppEnv>({ strict: false })
  const byPath = Map.groupBy(operations, ({ path }) => path)
  for (const path of [...byPath.keys()].sort(literalFirst)) {
    const here = byPath.get(path)!
    // Without `strict`, a route without a trailing slash matches a path with one, but not the reverse.
    const route = path.replace(/\/$/, '')
    for (const operation of here) {
      router.on(operation.method.toUpperCase(), [route], ...stepsOf(operation))
    }
    rejectOtherMethods(
      router,
      route,
      here.map(({ method }) => method.toUpperCase()),
      path,
    )
  }
  return router
}

/** Compares paths so that `/flags/activity/` comes before `/flags/:id/`. */
function literalFirst(a: string, b: string): number {
  const rank = (path: string) => path.replace(/:[^/]+/g, '\uffff')
  return rank(a) < rank(b) ? -1 : 1
}

/**
 * Rejects HEAD on GET operations that change something. Hono answers HEAD as GET without the body, so that monitors and link checkers would
 * replace a secret.
 */
function rejectHead({ path }: Operation): MiddlewareHandler<AppEnv> {
  return async function rejectIt(c, next) {
    c.set('route', path)
    if (c.req.method === 'HEAD') throw methodNotAllowed('HEAD', ['GET'])
    await next()
  }
}

function stepsOf(operation: Operation): Handler<AppEnv>[] {
  const { params = z.looseObject({}), query, body } = operation
  return [
    ...(operation.changesOnGet ? [rejectHead(operation)] : []),
    authorizeCaller(operation),
    ...(operation.targetUser?.afterBody ? [] : [resolveTargetUser(operation)]),
    ...(operation.throttles ? [limit(operation.throttles, operation)] : []),
    ...(operation.body ? [readBody(operation)] : []),
    zValidator('param', params, (result) => {
      // An invalid id matches no object.
      if (!result.success) throw notFound(hintIn(result.error as z.core.$ZodError))
    }) as MiddlewareHandler<AppEnv>,
    ...(operation.access === 'public' || !canSucceed(operation) ? [] : [rejectIgnoredInput(operation)]),
    ...(query
      ? [
          zValidator(
            'query',
            z.preprocess(lastOfEach, query),
            rejectInvalid(operation, 'query'),
          ) as MiddlewareHandler<AppEnv>,
        ]
      : []),
    ...(body
      ? [
          zValidator(
            'json',
            z.preprocess(withoutMisspeltKeys(operation, body), body),
            rejectInvalid(operation, 'body'),
          ) as MiddlewareHandler<AppEnv>,
        ]
      : []),
    ...(operation.targetUser?.afterBody ? [resolveTargetUser(operation)] : []),
    respond(operation),
  ]
}

/** Sets the route for the log, and authorizes the caller. */
function authorizeCaller(operation: Operation): MiddlewareHandler<AppEnv> {
  const requirement = { ...operation, impersonation: impersonationRuleOf(operation) }
  return async function authorizeRequest(c, next) {
    c.set('route', operation.path)
    c.set('isWrite', operation.scope?.endsWith(':write') ?? false)
    if (operation.access !== 'public') {
      const body = async () =>
        operation.method === 'get'
          ? null
          : jsonTextOf(c.req, c.get('deps').memory, operation).then(JSON.parse, () => null)
      const credentials: Credentials = {
        key: await findKeyCredential(c.req, body),
        sessionToken: cookieOf(c.req.raw, SESSION_COOKIE),
        request: c.req.raw,
        body,
      }
      const { actor, project, organization } = await authorize(
        c.get('deps'),
        credentials,
        requirement,
        targetOf((name) => c.req.param(name), c.req.query('token')),
      )
      c.set('actor', actor)
      if (project) c.set('project', project)
      if (organization) c.set('organization', organization)
      if (operation.keyRate !== null) {
        await c.get('deps').keyQuota.count(c.get('deps'), actor, operation.keyRate)
      }
    }
    await next()
  }
}

/** Finds the user on whose record the operation works: before the body is read, unless the operation says otherwise. */
function resolveTargetUser(operation: Operation): MiddlewareHandler<AppEnv> {
  return async function setTargetUser(c, next) {
    c.set('targetUser', targetUserOf(operation, c.get('actor'), c.req.param('uuid')))
    await next()
  }
}

/**
 * Rejects parameters that the operation does not have, and fields of a body where it takes none. If a filter, a version or an option were
 * ignored, the response, or what is changed, would not be what the caller means.
 */
function rejectIgnoredInput(operation: Operation): MiddlewareHandler<AppEnv> {
  const { query, repeatable, method, body } = operation
  const known = Object.keys(query?.shape ?? {})
  return async function checkInput(c, next) {
    try {
      rejectIgnoredParameters(new URL(c.req.url), known, repeatable)
      if (method !== 'get' && !body) {
        const sent: unknown = JSON.parse(await jsonTextOf(c.req, c.get('deps').memory))
        // Clients send null or an empty list of PHP for no fields.
        const fields = typeof sent === 'object' ? Object.keys(sent ?? {}) : ['body']
        const field = fields.find((each) => each !== CREDENTIAL)
        if (field !== undefined) throw invalid(field, 'This operation takes no body.', 'unknown_field')
      }
    } catch (error) {
      throw inFormOfInvalid(operation, error)
    }
    await next()
  }
}

/** Checks type, size and depth of the body before it is parsed. */
function readBody(operation: Operation): MiddlewareHandler<AppEnv> {
  return async function readJson(c, next) {
    await jsonTextOf(c.req, c.get('deps').memory, operation).catch((error: unknown) => {
      throw inFormOfInvalid(operation, error)
    })
    await next()
  }
}

/** Returns a schema that rejects a key that is close to a field of the body, before a missing field is reported. */
function withoutMisspeltKeys(operation: Operation, body: z.ZodType) {
  const response = operation.responses[successStatus(operation)]
  const shown = operation.record ?? (response instanceof z.ZodType ? response : null)
  return function checkKeys(sent: unknown): unknown {
    try {
      rejectMisspeltKeys(sent, body, shown, operation.placeOf)
    } catch (error) {
      throw error instanceof ApiError ? inFormOf(operation, error) : error
    }
    return sent
  }
}

/**
 * Returns the project or organization in a path. An environment is its project: they share an id.
 * @param token the parameter `token`, which selects the project
 */
function targetOf(param: (name: string) => string | undefined, token: string | undefined): Target {
  const project = param('project_id') ?? param('environment_id')
  const organization = param('organization_id')?.toLowerCase()
  if (project !== undefined) {
    const id = project === '@current' ? project : idIn(project)
    return {
      kind: 'project',
      id,
      ...(organization === undefined ? {} : { organization }),
      ...(token === undefined ? {} : { token: token.trim() }),
    }
  }
  return organization === undefined ? { kind: 'none' } : { kind: 'organization', id: organization }
}

/**
 * Counts the call before the body is validated, so that invalid requests count too. A call over the first limit does not count for the next.
 * Public operations have no user, and count the network.
 */
function limit(throttles: readonly Throttle[], { access }: Operation): MiddlewareHandler<AppEnv> {
  return async function countTheCall(c, next) {
    const subject = access === 'public' ? clientOf(c.req.raw).network : userOf(c.get('actor'))?.id
    if (subject !== undefined)
      for (const throttle of throttles) await countCall(c.get('deps'), throttle, subject)
    await next()
  }
}

/** Returns the hint of the operation on a parameter of its path. By default there is none. */
const hintIn = ({ issues: [issue] }: z.core.$ZodError): string | undefined =>
  issue?.code === 'custom' ? issue.message : undefined

/** Returns the last value of each repeated parameter, if it may be repeated. */
const lastOfEach = (query: unknown) =>
  Object.fromEntries(
    Object.entries(query as Record<string, string | string[]>).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.at(-1) : value,
    ]),
  )

function rejectInvalid(operation: Operation, of: 'query' | 'body') {
  return function reject(result: { success: boolean; error?: unknown; data: unknown }): void {
    if (result.success) return
    const failure = firstFailure(result.error as z.core.$ZodError, result.data)
    if (of === 'body') throw inFormOf(operation, failure)
    throw inFormOfInvalid(operation, failure)
  }
}

/** Converts a 400 to the operation's form. A body that is too large or of another type has the form that all operations share. */
const inFormOfInvalid = ({ errorForm }: Operation, error: unknown): unknown =>
  errorForm === 'error' && error instanceof ApiError && error.status === 400 ? asErrorText(error) : error

/** Converts an error of the body to the form of the operation. */
function inFormOf({ errorForm }: Operation, failure: ApiError): ApiError {
  if (errorForm === 'error') return asErrorText(failure)
  return errorForm === 'parse error' ? malformed(sentenceOf(failure)) : failure
}

/** Returns the detail, and before it the field if there is one. */
const sentenceOf = ({ attr, detail }: ApiError) => (attr === null ? detail : `${attr}: ${detail}`)

const asErrorText = (failure: ApiError) =>
  new ApiError({ ...failure, detail: sentenceOf(failure), shape: 'error' })

function respond(operation: Operation): Handler<AppEnv> {
  const status = successStatus(operation)
  const isChange =
    operation.changesOnGet === true || !onlyReads(operation.method.toUpperCase(), operation.scope)
  const responseOf = (result: unknown) =>
    operation.responses[status] === 'empty'
      ? new Response(null, { status })
      : jsonResponse(result, status, isChange)
  return async function respondTo(c) {
    const actor = c.get('actor')
    const result = await operation.handle({
      deps: c.get('deps'),
      actor,
      project: c.get('project'),
      organization: c.get('organization'),
      targetUser: c.get('targetUser'),
      params: c.req.valid('param' as never),
      query: operation.query ? c.req.valid('query' as never) : {},
      body: operation.body ? c.req.valid('json' as never) : {},
      url: new URL(c.req.url),
      request: c.req.raw,
      setActor: (caller) => c.set('actor', caller),
    })
    const response = result instanceof Response ? result : responseOf(result)
    if (c.req.method !== 'HEAD') return response
    // Hono would drop the body without an end, and its memory would stay reserved.
    await response.body?.cancel()
    return new Response(null, response)
  }
}
