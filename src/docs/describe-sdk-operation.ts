// An operation that SDKs call, as the document has it.
import { successStatus } from '../http/operation'
import type { SdkMethod, SdkOperation } from '../sdk/operation'
import { limitedAnswer, ownAnswers, withParticular } from './answers'
import { type Book, describeCall, type Json, withExample, withSamples } from './describe'
import { sharedError } from './errors'
import { nameAfter } from './schemas'

/** Describes one method of an operation, under a tag. */
export function describeSdkOperation(
  operation: SdkOperation,
  method: SdkMethod,
  tag: string,
  { schemas, docs }: Book,
): Json {
  const { methods, summary, description, params, query, responses, security, paths } = operation
  // One operation of two methods is two in the document; the one without a body says so in its name.
  const takesBody = method !== 'get'
  const id = takesBody || methods.length === 1 ? operation.id : `${operation.id}_retrieve`
  const own = docs.operations[operation.id] ?? {}
  const call = { id, method, path: paths[0], summary, params, query, responses }
  const taken = takesBody ? { ...call, body: operation.body } : call
  const { parameters, ...named } = describeCall(taken, tag, schemas, own)
  // Whoever knows the project's public token may call; where a key is needed, the operation says which.
  const caller =
    security === 'projectToken' ? ({ scope: null, access: 'anybody' } as const) : ({ scope: 'any' } as const)
  const answers = withParticular(own, {
    ...(takesBody ? { 413: sharedError(413)! } : {}),
    503: sharedError(503)!,
    ...ownAnswers(operation, schemas, nameAfter(operation.id, 'Response'), own),
    // Whether it has a limit the operation says; which one follows from who calls.
    ...(429 in responses ? limitedAnswer({ ...operation, ...caller }) : {}),
  })
  const described = {
    ...named,
    parameters: [...parameters, ...(304 in responses ? [IF_NONE_MATCH] : [])],
    description: description ?? summary,
    responses: withExample(answers, successStatus(operation), own, schemas),
    security: securityOf(operation),
  }
  return withSamples({ ...call, ...caller }, described, schemas, own.sample)
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of what the caller has. Answers 304 while that is still the same.',
  schema: { type: 'string' },
  example: '"5c1a0b7e"',
}

/** The paths where clients send the project's token in a header; elsewhere it is in the body or the path. */
const TOKEN_IN_HEADER = /^\/ofrep\//

function securityOf({ security, paths }: SdkOperation): Json[] {
  if (security === 'personalApiKey') return [{ personalApiKey: [] }]
  return TOKEN_IN_HEADER.test(paths[0]) ? [{ projectToken: [] }] : []
}
