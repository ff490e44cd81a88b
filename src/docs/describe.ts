// What operations of all kinds are described by: their name, what they take, what success looks like, and a sample.
import { type Operation, successStatus } from '../http/operation'
import type { SampleDocs } from '../http/docs/sample-steps'
import { parametersOf } from './parameters'
import { samplesOf } from './samples/samples'
import { nameAfter, type Schemas } from './schemas'
import { type Docs, inProject } from './collect'
import type { OperationDocs, SchemaDocs } from '../http/docs/operation-docs'

export type Json = Record<string, unknown>

/** What a builder of one operation works with. */
export interface Book {
  schemas: Schemas
  docs: Docs
}

/** A path as OpenAPI writes it: `:id` is `{id}`. */
export const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}')

type Called = Pick<Operation, 'id' | 'path' | 'summary' | 'params' | 'query' | 'body'>

/** The name of an operation, and what it takes. */
export function describeCall(
  operation: Called,
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

/** The answers, with what the words say success looks like. */
export function withExample(
  answers: Record<string, Json>,
  status: number,
  { response = {} }: OperationDocs,
  schemas: Schemas,
): Record<string, Json> {
  const media = mediaOf(answers[status])
  if (!media || response.mediaType || !isShown(media.schema as Json, response, schemas)) return answers
  const shown = { ...media, example: response.example }
  return { ...answers, [status]: { ...answers[status], content: { 'application/json': shown } } }
}

/** Whether an example stands at the operation: it has one, and its schema does not have the same. */
const isShown = (schema: Json, { example }: Partial<SchemaDocs> = {}, schemas: Schemas): boolean =>
  example !== undefined && exampleOf(schemas.resolved(schema)) !== example

type Sampled = Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'scope' | 'access' | 'responses'>

/** An operation with its samples. They come last: they send what the document shows. */
export function withSamples(
  operation: Sampled,
  described: Json,
  schemas: Schemas,
  sample: SampleDocs | undefined,
): Json {
  const taken = mediaOf(described.requestBody)
  const success = successStatus(operation)
  // What is there to be refused, or to lead on, answers with the one status that it lists.
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

/** The one form in which something is sent. */
const mediaOf = (part: unknown): Json | undefined =>
  Object.values(((part as Json | undefined)?.content ?? {}) as Record<string, Json>)[0]
