// Describes responses of operations by status, with the errors that all requests share.
import type { UnknownObject } from '../json'
import { ErrorBody } from '../http/error-body'
import type { Operation, ResponseBody } from '../http/operation'
import { errorExamples, headersOf, sharedError, sharedDescription } from './errors'
import { type Limited, takesKeys, tooOftenFor } from './limits'
import type { Schemas } from './schemas'
import type { OperationDocs, SchemaDocs } from '../http/docs/operation-docs'

/** Descriptions of responses that have none. */
const DESCRIPTIONS: Record<number, string> = {
  200: 'Success.',
  201: 'Created.',
  204: 'Success, without a body.',
  302: 'Redirect to `Location`.',
  304: 'Not modified since the `ETag` of the request; no body.',
  401: 'The key or token is missing or invalid.',
  402: 'The evaluation quota of the project is used up.',
  405: 'Never allowed.',
  422: 'The history has a gap at that time.',
  500: 'Internal error.',
  502: 'An upstream service failed.',
  503: 'Storage or an upstream service timed out; the request can be retried.',
}

export type Documented = Limited & Pick<Operation, 'method' | 'path' | 'responses'>

/**
 * Returns the responses of an operation, by status.
 * @param name for the schema of the successful response, if it has none
 */
export function responsesOf(
  operation: Documented,
  schemas: Schemas,
  name: string,
  docs: OperationDocs,
): Record<string, UnknownObject> {
  const own = declaredResponses(operation, schemas, name, docs)
  const common = sharedErrors(operation)
  const either = common.flatMap(([status]) => {
    const response = operation.responses[Number(status)]
    return response && response !== ErrorBody ? [[status, withSharedError(own[status]!, response)]] : []
  })
  return withOwnErrors(docs, {
    ...Object.fromEntries(common),
    ...own,
    ...Object.fromEntries(either),
    ...throttledResponse(operation, docs),
  })
}

/** Replaces shared errors by those that the operation documents. */
export function withOwnErrors(
  { errors: own = {} }: OperationDocs,
  responses: Record<string, UnknownObject>,
): Record<string, UnknownObject> {
  const particular = Object.entries(own).map(([key, errors]) => {
    const status = Number(key)
    const known = responses[key] && '$ref' in responses[key] ? undefined : responses[key]
    const media = (known?.content as Record<string, UnknownObject> | undefined)?.['application/json']
    return [
      key,
      {
        description: known?.description ?? sharedDescription(status),
        headers: headersOf(status),
        content: {
          'application/json': { schema: ERROR, ...media, examples: errorExamples(status, errors) },
        },
      },
    ]
  })
  return { ...responses, ...Object.fromEntries(particular) }
}

const ERROR = { $ref: '#/components/schemas/Error' }

/** Describes a status for which the operation declares another body than the shared error: the response may be either. */
function withSharedError(own: UnknownObject, response: ResponseBody): UnknownObject {
  if (response === 'empty') {
    return {
      ...own,
      description: `${String(own.description)} No body, except for an unknown project or parameter.`,
      content: { 'application/json': { schema: ERROR } },
    }
  }
  const { schema, ...media } = (own.content as Record<string, { schema: UnknownObject }>)['application/json']!
  const choices = (schema.anyOf as UnknownObject[] | undefined) ?? [schema]
  return {
    ...own,
    content: { 'application/json': { ...media, schema: { anyOf: [ERROR, ...choices] } } },
  }
}

/** Returns the responses that the operation declares. */
export const declaredResponses = (
  { responses }: Pick<Documented, 'responses'>,
  schemas: Schemas,
  name: string,
  { response: docs }: OperationDocs,
): Record<string, UnknownObject> =>
  Object.fromEntries(
    Object.entries(responses).map(([key, response]) => {
      const status = Number(key)
      if (response === ErrorBody) return [key, sharedError(status) ?? responseOf(status, response, schemas)]
      const shown = responseOf(status, response, schemas, status < 300 ? { name, docs } : {})
      const tagged = status === 200 && 304 in responses
      return [
        key,
        {
          ...shown,
          headers: headersOf(status, tagged ? { ETag: 'ETag' } : {}),
          ...(status < 300 ? mediaOf(docs) : {}),
        },
      ]
    }),
  )

function responseOf(
  status: number,
  response: ResponseBody,
  schemas: Schemas,
  { name, docs }: { name?: string; docs?: Partial<SchemaDocs> } = {},
): UnknownObject {
  const described = {
    description: DESCRIPTIONS[status] ?? sharedDescription(status) ?? String(status),
    headers: headersOf(status),
  }
  if (response === 'empty') return described
  const content = { schema: schemas.of(response, 'output', name, docs) }
  const examples = response === ErrorBody ? errorExamples(status) : {}
  return {
    ...described,
    content: {
      'application/json': { ...content, ...(Object.keys(examples).length > 0 ? { examples } : {}) },
    },
  }
}

const mediaOf = ({ mediaType, example }: OperationDocs['response'] = {}): UnknownObject =>
  mediaType ? { content: { [mediaType]: { schema: { type: 'string' }, example } } } : {}

/** Returns the errors of all operations with such a method, path and access. */
function sharedErrors({ method, path, access }: Documented): [string, UnknownObject][] {
  // Also an operation that takes no body, to reject its fields.
  const readsBody = method !== 'get'
  const statuses = [
    // Parameters and bodies that an operation does not have are rejected.
    ...(readsBody || access !== 'public' ? [400] : []),
    ...(access === 'public' ? [] : [401, 403]),
    ...(access !== 'public' && path.includes(':') ? [404] : []),
    ...(readsBody ? [408, 413, 415] : []),
    503,
  ]
  return statuses.map((status) => [String(status), sharedError(status)!])
}

/** Returns the 429 response, for operations with a rate limit. */
export function throttledResponse(
  operation: Limited & Pick<Operation, 'responses'>,
  docs: OperationDocs = {},
): Record<string, UnknownObject> {
  if (!(429 in operation.responses || operation.throttles || takesKeys(operation))) return {}
  const description = tooOftenFor(operation, docs)
  if (description === sharedDescription(429)) return { 429: sharedError(429)! }
  const content = { schema: ERROR, examples: errorExamples(429) }
  return { 429: { description, headers: headersOf(429), content: { 'application/json': content } } }
}
