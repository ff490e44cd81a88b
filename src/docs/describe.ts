// Describes operations of the management API in the OpenAPI document. Operations for SDKs share some of its functions.
import { sameJson, type UnknownObject } from '../json'
import { type Operation, successStatus } from '../http/operation'
import { parametersOf } from './parameters'
import { samplesOf } from './samples/samples'
import { responsesOf } from './responses'
import { nameAfter, type Schemas } from './schemas'
import { type Docs, inProject } from './collect'
import type { OperationDocs, SampleDocs } from '../http/docs/operation-docs'

export interface Context {
  schemas: Schemas
  docs: Docs
}

/** A path as OpenAPI writes it: `:id` is `{id}`. */
export const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}')

type Declared = Omit<Operation, 'handle'>

export function describeOperation(
  operation: Declared,
  tag: string,
  { schemas, docs }: Context,
): UnknownObject {
  const { id, scope } = operation
  const own = docs.operations[inProject(id)] ?? {}
  const documented = responsesOf(operation, schemas, nameAfter(inProject(id), 'Response'), own)
  const described = {
    ...describeCall(operation, tag, schemas, own),
    description: [operation.description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    responses: withExample(documented, successStatus(operation), own, schemas),
  }
  return withSamples(operation, described, schemas, own.sample)
}

/** Returns sentences on access. */
function notesOn({ scope, alsoScope, access, recentAuth }: Declared): string[] {
  if (access === 'public') return ['No credentials needed.']
  const keys =
    scope === null
      ? 'Sessions only, no API keys.'
      : scope === 'any'
        ? 'Any key.'
        : `Scope: \`${scope}\`${alsoScope ? ` and \`${alsoScope}\`` : ''}.`
  if (!recentAuth) return [keys]
  const unless =
    recentAuth === true
      ? ''
      : ` Not required when the body has only these: ${recentAuth.exceptFields.map((field) => `\`${field}\``).join(', ')}.`
  return [keys, `A session must be at most two hours old.${unless}`]
}

/** Returns the security of an operation, if it does not accept both a key and a session, which is the default. */
function securityOf({ scope, access }: Declared): UnknownObject {
  if (access === 'public') return { security: [] }
  return scope === null ? { security: [{ session: [] }] } : {}
}

type Call = Pick<Operation, 'id' | 'path' | 'summary' | 'params' | 'query' | 'body'>

/** Returns the id, summary, parameters and request body of a call. */
export function describeCall(
  operation: Call,
  tag: string,
  schemas: Schemas,
  docs: OperationDocs,
): UnknownObject & { parameters: UnknownObject[] } {
  const { id, summary, body } = operation
  const schema =
    body && schemas.of(docs.body?.schema ?? body, 'input', nameAfter(inProject(id), 'Body'), docs.body)
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
                ...shownExample(schema, docs.body?.example, schemas),
              },
            },
          },
        }
      : {}),
  }
}

/** Adds the example of the successful response. */
export function withExample(
  responses: Record<string, UnknownObject>,
  status: number,
  { response = {} }: OperationDocs,
  schemas: Schemas,
): Record<string, UnknownObject> {
  const media = mediaOf(responses[status])
  if (!media || response.mediaType) return responses
  const shown = { ...media, ...shownExample(media.schema as UnknownObject, response.example, schemas) }
  return { ...responses, [status]: { ...responses[status], content: { 'application/json': shown } } }
}

/**
 * Returns the example, unless it is that of the component. Without a documented one, the example of a list or union follows from its
 * components.
 */
function shownExample(schema: UnknownObject, given: unknown, schemas: Schemas): { example?: unknown } {
  const example = schemas.example(schema, given)
  if (given === undefined && (example === null || example === undefined || '$ref' in schema)) return {}
  return '$ref' in schema && sameJson(example, schemas.example(schema)) ? {} : { example }
}

type Sampled = Pick<Operation, 'id' | 'method' | 'path' | 'summary' | 'scope' | 'access' | 'responses'>

/** Adds code samples, which send the documented example. */
export function withSamples(
  operation: Sampled,
  described: UnknownObject,
  schemas: Schemas,
  sample: SampleDocs = {},
): UnknownObject {
  const taken = mediaOf(described.requestBody)
  const success = successStatus(operation)
  // Some operations respond only with an error or a redirect.
  const succeeds = Number.isFinite(success)
  const body = taken && ('example' in taken ? taken.example : schemas.example(taken.schema as UnknownObject))
  return {
    ...described,
    'x-codeSamples': samplesOf({
      ...operation,
      body: taken && (body ?? {}),
      printsBody: succeeds && mediaOf((described.responses as UnknownObject)[success]) !== undefined,
      sample,
    }),
  }
}

const hasRequired = ({ required }: UnknownObject): boolean =>
  Boolean((required as string[] | undefined)?.length)

const mediaOf = (part: unknown): UnknownObject | undefined =>
  Object.values(((part as UnknownObject | undefined)?.content ?? {}) as Record<string, UnknownObject>)[0]
