// What operations answer, by status: what each one means, and the errors that any request may meet.
import { ErrorBody } from '../http/error-body'
import type { Operation, ResponseBody } from '../http/operation'
import { errorExamples, headersOf, sharedError, sharedMeaning } from './errors'
import { type Limited, takesKeys, tooOftenFor } from './limits'
import type { Schemas } from './schemas'
import type { OperationDocs, SchemaDocs } from '../http/docs/operation-docs'

type Json = Record<string, unknown>

const MEANINGS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  204: 'Done; no body.',
  302: 'Go there.',
  304: 'What the caller has is still the same; no body.',
  400: 'Something in the request is not acceptable; nothing has changed.',
  401: 'No key or token, or one that opens nothing.',
  402: 'The project has used up what it may evaluate.',
  404: 'There is no such thing, or none in the reach of the caller.',
  405: 'Never allowed.',
  422: 'The history has a gap: what it was then is not known.',
  500: 'The service failed.',
  502: 'A service that is asked on the way failed.',
  503: 'Storage, or a service that is asked on the way, did not answer in time; the request may be repeated.',
}

export type Answering = Limited & Pick<Operation, 'path' | 'responses' | 'body'>

/**
 * The answers of an operation, by status.
 * @param name of the schema of what success looks like, where it has none.
 */
export function answersOf(
  operation: Answering,
  schemas: Schemas,
  name: string,
  docs: OperationDocs,
): Record<string, Json> {
  const own = ownAnswers(operation, schemas, name, docs)
  const common = commonErrors(operation)
  const either = common.flatMap(([status]) => {
    const response = operation.responses[Number(status)]
    return response && response !== ErrorBody ? [[status, orError(own[status]!, response)]] : []
  })
  return withParticular(docs, {
    ...Object.fromEntries(common),
    ...own,
    ...Object.fromEntries(either),
    ...limitedAnswer(operation),
  })
}

/** The errors that an operation has of its own, in place of what is shown of all. */
export function withParticular(
  { errors: own = {} }: OperationDocs,
  answers: Record<string, Json>,
): Record<string, Json> {
  const particular = Object.entries(own).map(([key, errors]) => {
    const status = Number(key)
    const known = answers[key] && '$ref' in answers[key] ? undefined : answers[key]
    const media = (known?.content as Record<string, Json> | undefined)?.['application/json']
    return [
      key,
      {
        description: known?.description ?? sharedMeaning(status),
        headers: headersOf(status),
        content: {
          'application/json': { schema: ERROR, ...media, examples: errorExamples(status, errors) },
        },
      },
    ]
  })
  return { ...answers, ...Object.fromEntries(particular) }
}

const ERROR = { $ref: '#/components/schemas/Error' }

/** What an operation says of itself, or what any request may meet before it gets there: the same status with another body. */
function orError(own: Json, response: ResponseBody): Json {
  if (response === 'empty') {
    return {
      ...own,
      description: `${String(own.description)} No body, unless it is the project that is not there.`,
      content: { 'application/json': { schema: ERROR } },
    }
  }
  const { schema, ...media } = (own.content as Record<string, { schema: Json }>)['application/json']!
  const choices = (schema.anyOf as Json[] | undefined) ?? [schema]
  const isSaid = choices.some(({ $ref }) => $ref === ERROR.$ref)
  return {
    ...own,
    content: { 'application/json': { ...media, schema: isSaid ? schema : { anyOf: [...choices, ERROR] } } },
  }
}

/** The answers that an operation lists itself. */
export const ownAnswers = (
  { responses }: Pick<Answering, 'responses'>,
  schemas: Schemas,
  name: string,
  { response: docs }: OperationDocs,
): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(responses).map(([key, response]) => {
      const status = Number(key)
      if (response === ErrorBody) return [key, sharedError(status) ?? answer(status, response, schemas)]
      const shown = answer(status, response, schemas, status < 300 ? { name, docs } : {})
      // What a caller has of an answer that may not have changed.
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

function answer(
  status: number,
  response: ResponseBody,
  schemas: Schemas,
  { name, docs }: { name?: string; docs?: Partial<SchemaDocs> } = {},
): Json {
  const described = {
    description: MEANINGS[status] ?? sharedMeaning(status) ?? String(status),
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

const mediaOf = ({ mediaType, example }: OperationDocs['response'] = {}): Json =>
  mediaType ? { content: { [mediaType]: { schema: { type: 'string' }, example } } } : {}

/** What may happen to any request of the kind. */
function commonErrors({ path, access, body }: Answering): [string, Json][] {
  const statuses = [
    ...(body ? [400] : []),
    ...(access === 'anybody' ? [] : [401, 403]),
    // A project or an organization that is none; so is whatever else a path names.
    ...(access !== 'anybody' && path.includes(':') ? [404] : []),
    ...(body ? [413, 415] : []),
    503,
  ]
  return statuses.map((status) => [String(status), sharedError(status)!])
}

/** The answer to what calls an operation too often, where something counts that. */
export function limitedAnswer(operation: Limited & Pick<Operation, 'responses'>): Record<string, Json> {
  if (!(429 in operation.responses || operation.throttles || takesKeys(operation))) return {}
  const description = tooOftenFor(operation)
  if (description === sharedMeaning(429)) return { 429: sharedError(429)! }
  const content = { schema: ERROR, examples: errorExamples(429) }
  return { 429: { description, headers: headersOf(429), content: { 'application/json': content } } }
}
