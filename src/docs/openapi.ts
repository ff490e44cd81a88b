// The OpenAPI 3.1 document, from the operation lists. Written to public/openapi.json by `npm run openapi`: a file
// that is served as it is, and no part of the bundle.
import { CSRF_COOKIE, SESSION_COOKIE } from '../auth/cookies'
import { type Method, type Operation, successStatus } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'
import { ABOUT } from './about'
import { answersOf, ownAnswers } from './answers'
import { errorComponents, HEADERS, sharedError } from './errors'
import { parametersOf } from './parameters'
import { createSchemas, nameAfter, type Schemas } from './schemas'
import { tagOf, tagsOf } from './tags'
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
  const add = (path: string, method: Method, described: Json) => {
    paths[path] = { ...paths[path], [method]: described }
  }
  for (const { tag, operations } of areas) {
    for (const operation of operations) {
      const path = templateOf(operation.path)
      add(path, operation.method, describeOperation(operation, tagOf(tag, path), book))
    }
  }
  for (const operation of sdk.operations) {
    for (const method of operation.methods) {
      add(templateOf(operation.paths[0]), method, describeSdkOperation(operation, method, sdk.tag, book))
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Halyard',
      version: '1',
      summary: 'Feature flags, accounts and saved queries at the edge.',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The deployment that serves this document.' }],
    security: [{ personalApiKey: [] }, { session: [] }],
    tags: [...areas, sdk].flatMap(({ tag, description }) =>
      tagsOf({ name: tag, description }, Object.keys(paths)),
    ),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      responses: errorComponents(),
      headers: HEADERS,
      schemas: book.schemas.components(),
    },
  }
}

const SECURITY_SCHEMES = {
  personalApiKey: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A personal API key (`phx_…`) with the scope of the operation. Also taken as `personal_api_key` in the body or the query, where there is no such header.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: `The cookie of somebody who signed in. Unsafe methods need the cookie \`${CSRF_COOKIE}\` repeated in the header \`X-CSRFToken\`.`,
  },
  projectToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'The public token of a project (`phc_…`). The header `X-API-Key` takes it too.',
  },
}

type Described = Omit<Operation, 'handle'>

/** What a builder of one operation works with. */
interface Book {
  schemas: Schemas
  words: Required<Words>
}

function describeOperation(operation: Described, tag: string, { schemas, words }: Book): Json {
  const { id, scope } = operation
  const said = words.operations[inProject(id)] ?? {}
  const answers = answersOf(operation, schemas, nameAfter(inProject(id), 'Answer'))
  return {
    ...describeCall(operation, tag, schemas, said),
    description: [operation.description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    responses: withExample(answers, successStatus(operation), said),
  }
}

/** What operations of all kinds are described by: their name, and what they take. */
function describeCall(operation: Described, tag: string, schemas: Schemas, said: OperationWords): Json {
  const { id, summary, body } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: parametersOf(operation, schemas, said),
    ...(body
      ? {
          requestBody: {
            // An empty body counts as `{}`.
            required: !body.safeParse({}).success,
            content: {
              'application/json': {
                schema: schemas.of(body, 'input', nameAfter(inProject(id), 'Body')),
                ...(said.body === undefined ? {} : { example: said.body }),
              },
            },
          },
        }
      : {}),
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

/** The header in which OpenFeature's clients send the project's token; others put it into the body or the path. */
const TOKEN_IN_HEADER = /^\/ofrep\//

/** Whoever knows the project's public token may call; where a key is needed, the operation says which. */
function describeSdkOperation(
  operation: SdkOperation,
  method: Method,
  tag: string,
  { schemas, words }: Book,
): Json {
  const { methods, summary, description, body, params, query, responses, paths } = operation
  // One operation of two methods is two in the document; the one without a body says so in its name.
  const takesBody = method !== 'get'
  const id = takesBody || methods.length === 1 ? operation.id : `${operation.id}_retrieve`
  const said = words.operations[operation.id] ?? {}
  const asked = { id, method, path: paths[0], summary, scope: 'any', params, query, responses } as const
  const described = describeCall(takesBody ? { ...asked, body } : asked, tag, schemas, said)
  const answers = {
    503: sharedError(503)!,
    ...ownAnswers(operation, schemas, nameAfter(operation.id, 'Answer')),
  }
  return {
    ...described,
    parameters: [...(described.parameters as Json[]), ...(304 in responses ? [IF_NONE_MATCH] : [])],
    description: description ?? summary,
    responses: withExample(answers, successStatus({ responses }), said),
    security: sdkSecurity(operation),
  }
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of what the caller has. Answers 304 while that is still the same.',
  schema: { type: 'string' },
  example: '"5c1a0b7e"',
}

function sdkSecurity({ security, paths }: SdkOperation): Json[] {
  if (security === 'personalApiKey') return [{ personalApiKey: [] }]
  return TOKEN_IN_HEADER.test(paths[0]) ? [{ projectToken: [] }] : []
}
