// The parts of an OpenAPI operation that the management API and SDK operations share.
import { type Operation, successStatus } from '../http/operation'
import type { SampleDocs } from '../http/docs/sample-steps'
import { parametersOf } from './parameters'
import { samplesOf } from './samples/samples'
import { nameAfter, type Schemas } from './schemas'
import { type Docs, inProject } from './collect'
import type { OperationDocs, SchemaDocs } from '../http/docs/operation-docs'

export type Json = Record<string, unknown>

export interface Context {
  schemas: Schemas
  docs: Docs
}

/** A path as OpenAPI writes it: `:id` is `{id}`. */
export const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}')

type Call = Pick<Operation, 'id' | 'path' | 'summary' | 'params' | 'query' | 'body'>

/** Its id, summary, parameters and request body. */
export function describeCall(
  operation: Call,
  tag: string,
  schemas: Schemas,
  docs: OperationDocs,
): Json & { parameters: Json[] } {
  const { id, summary, body } = operation
  const schema = body && schemas.of(body, 'input', nameAfter(inProject(id), 'Body'), docs.body)
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: parametersOf(operation, schemas, docs.parameters),
    ...(schema
      ? {
          requestBody: {
            // An empty body counts as `{}`.
            required: docs.body?.isRequired ?? hasRequired(schemas.resolved(schema)),
            content: {
              'application/json': {
                schema,
                ...(isShown(schema, docs.body, schemas) ? { example: docs.body?.example } : {}),
              },
            },
          },
        }
      : {}),
  }
}

/** Adds the documented example to the successful response. */
export function withExample(
  responses: Record<string, Json>,
  status: number,
  { response = {} }: OperationDocs,
  schemas: Schemas,
): Record<string, Json> {
  const media = mediaOf(responses[status])
  if (!media || response.mediaType || !isShown(media.schema as Json, response, schemas)) return responses
  const shown = { ...media, example: response.example }
  return { ...responses, [status]: { ...responses[status], content: { 'application/json': shown } } }
}

/** Whether an example differs from that of its schema. */
const isShown = (schema: Json, { example }: Partial<SchemaDocs> = {}, schemas: Schemas): boolean =>
  example !== undefined && exampleOf(schemas.resolved(schema)) !== example

type Sampled = Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'scope' | 'access' | 'responses'>

/** Adds code samples, which send the documented example. */
export function withSamples(
  operation: Sampled,
  described: Json,
  schemas: Schemas,
  sample: SampleDocs | undefined,
): Json {
  const taken = mediaOf(described.requestBody)
  const success = successStatus(operation)
  // An operation that never succeeds has one status: an error or a redirect.
  const refuses = !Number.isFinite(success)
  const status = refuses ? Object.keys(operation.responses)[0]! : success
  const answered = mediaOf((described.responses as Json)[status])
  const body =
    taken && ('example' in taken ? taken.example : exampleOf(schemas.resolved(taken.schema as Json)))
  return {
    ...described,
    'x-codeSamples': samplesOf({
      ...operation,
      path: templateOf(operation.path),
      body: taken && (body ?? {}),
      answers: answered !== undefined,
      refuses,
      sample,
    }),
  }
}

const hasRequired = ({ required }: Json): boolean => Boolean((required as string[] | undefined)?.length)

const exampleOf = ({ examples }: Json): unknown => (examples as unknown[] | undefined)?.[0]

const mediaOf = (part: unknown): Json | undefined =>
  Object.values(((part as Json | undefined)?.content ?? {}) as Record<string, Json>)[0]
