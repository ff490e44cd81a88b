// Describes an operation for SDKs in the OpenAPI document.
import type { UnknownObject } from '../json'
import { successStatus } from '../http/operation'
import type { SdkMethod, SdkOperation } from '../sdk/operation'
import { throttledResponse, declaredResponses, withOwnErrors } from './responses'
import { type Context, describeCall, withExample, withSamples } from './describe'
import { sharedError } from './errors'
import { nameAfter } from './schemas'

export function describeSdkOperation(
  operation: SdkOperation,
  method: SdkMethod,
  tag: string,
  { schemas, docs }: Context,
): UnknownObject {
  const { methods, summary, description, params, query, responses, security, paths } = operation
  // An operation with two methods is two in the document.
  const takesBody = method !== 'get'
  const id = takesBody || methods.length === 1 ? operation.id : `${operation.id}_retrieve`
  const own = docs.operations[operation.id] ?? {}
  const call = { id, method, path: paths[0], summary, params, query, responses }
  const taken = takesBody ? { ...call, body: operation.body } : call
  const { parameters, ...named } = describeCall(taken, tag, schemas, own)
  const caller =
    security === 'projectToken' ? ({ scope: null, access: 'public' } as const) : ({ scope: 'any' } as const)
  const documented = withOwnErrors(own, {
    ...(takesBody ? { 408: sharedError(408)!, 413: sharedError(413)! } : {}),
    503: sharedError(503)!,
    ...declaredResponses(operation, schemas, nameAfter(operation.id, 'Response'), own),
    ...(429 in responses ? throttledResponse({ ...operation, ...caller, isUnlimitedByHour: true }, own) : {}),
  })
  const described = {
    ...named,
    parameters: [...parameters, ...(304 in responses ? [IF_NONE_MATCH] : [])],
    description: description ?? summary,
    responses: withExample(documented, successStatus(operation), own, schemas),
    security: securityOf(operation),
  }
  return withSamples({ ...call, ...caller }, described, schemas, own.sample)
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: '`ETag` of an earlier response. While it is current, the response is 304.',
  schema: { type: 'string' },
  example: '"5c1a0b7e"',
}

/** Matches paths to which clients send the project's token in a header. To other paths they send it in the body or the path. */
const TOKEN_IN_HEADER = /^\/ofrep\//

function securityOf({ security, paths }: SdkOperation): UnknownObject[] {
  if (security === 'personalApiKey') return [{ personalApiKey: [] }]
  return TOKEN_IN_HEADER.test(paths[0]) ? [{ projectToken: [] }] : []
}
