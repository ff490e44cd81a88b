// The OpenAPI 3.1 document, from the operation lists. Written to public/openapi.json by `npm run openapi`: a file
// that is served as it is, and no part of the bundle.
import { SESSION_COOKIE } from '../auth/cookies'
import { type Method, type Operation, successStatus } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import { answersOf } from './answers'
import { parametersOf } from './parameters'
import { createSchemas, nameAfter, type Schemas } from './schemas'
import type { OperationWords, Words } from './words'

type Json = Record<string, unknown>

export interface Area {
  tag: string
  description: string
  operations: readonly Operation[]
}

export interface SdkArea {
  tag: string
  description: string
  operations: readonly SdkOperation[]
}

/** A path as OpenAPI writes it: `:id` is `{id}`. */
const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}')

/** Builds the document for all areas, with what `words` say of them. */
export function openApiDocument(areas: readonly Area[], sdk: SdkArea, words: Required<Words>): Json {
  const book: Book = { schemas: createSchemas(words.schemas), words }
  const paths: Record<string, Json> = {}
  for (const { tag, operations } of areas) {
    for (const operation of operations) {
      const path = templateOf(operation.path)
      paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, tag, book) }
    }
  }
  for (const operation of sdk.operations) {
    const path = templateOf(operation.paths[0])
    for (const method of operation.methods) {
      paths[path] = { ...paths[path], [method]: describeSdkOperation(operation, method, sdk.tag, book) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Halyard',
      version: '1',
      description: 'Feature flags, accounts and saved queries at the edge.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ personalApiKey: [] }, { session: [] }],
    tags: [...areas, sdk].map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      securitySchemes: {
        personalApiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'A personal API key (`phx_…`) with the scope of the operation.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description:
            'The cookie of somebody who signed in. Unsafe methods need the cookie `posthog_csrftoken` repeated in the header `X-CSRFToken`.',
        },
      },
      schemas: book.schemas.components(),
    },
  }
}

type Described = Omit<Operation, 'handle'>

/** What a builder of one operation works with. */
interface Book {
  schemas: Schemas
  words: Required<Words>
}

function describeOperation(operation: Described, tag: string, { schemas, words }: Book): Json {
  const { id, summary, description, scope, body } = operation
  const said = words.operations[inProject(id)] ?? {}
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    parameters: parametersOf(operation, schemas, said),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemas.of(body, 'input', nameAfter(inProject(id), 'Body')),
                ...(said.body === undefined ? {} : { example: said.body }),
              },
            },
          },
        }
      : {}),
    responses: withExample(
      answersOf(operation, schemas, nameAfter(inProject(id), 'Answer')),
      successStatus(operation),
      said,
    ),
  }
}

/** An operation inside environments is the same as inside projects, under another path. */
const inProject = (id: string) => id.replace(/^environments_/, '')

/** The answers, with what the words say success looks like. */
function withExample(answers: Record<string, Json>, status: number, { answer }: OperationWords): Json {
  const content = (answers[status]?.content as Json | undefined)?.['application/json'] as Json | undefined
  if (answer === undefined || !content) return answers
  const shown = { ...content, example: answer }
  return { ...answers, [status]: { ...answers[status], content: { 'application/json': shown } } }
}

/** Who may call, in words. */
function notesOn({ scope, access, recentAuth }: Described): string[] {
  if (access === 'anybody') return ['Needs no credentials.']
  const keys =
    scope === null ? 'Not for personal API keys.' : scope === 'any' ? 'Any key.' : `Scope: \`${scope}\`.`
  if (!recentAuth) return [keys]
  const unless =
    recentAuth === true
      ? ''
      : ` Not when only these are sent: ${recentAuth.exceptFields.map((field) => `\`${field}\``).join(', ')}.`
  return [keys, `A session must have signed in within the last two hours.${unless}`]
}

/** Where an operation takes less than a key or a session. */
function securityOf({ scope, access }: Described): Json {
  if (access === 'anybody') return { security: [] }
  return scope === null ? { security: [{ session: [] }] } : {}
}

/** Whoever knows the project's public token may call; where a key is needed, the operation says which. */
function describeSdkOperation(operation: SdkOperation, method: Method, tag: string, book: Book): Json {
  const { id, summary, description, body, params, query, responses, security, paths } = operation
  const described = describeOperation(
    { id, method, path: paths[0], summary, scope: 'any', params, query, body, responses },
    tag,
    book,
  )
  const isPublic = security === 'projectToken'
  const { 403: _forbidden, 415: _type, ...answers } = described.responses as Json
  return {
    ...described,
    description: description ?? summary,
    responses: isPublic ? answers : described.responses,
    security: isPublic ? [] : [{ personalApiKey: [] }],
  }
}
