// The OpenAPI 3.1 document, from the operation lists. Written to public/openapi.json by `npm run openapi`: a file
// that is served as it is, and no part of the bundle.
import * as z from 'zod'
import { SESSION_COOKIE } from '../auth/cookies'
import type { Method, Operation, ResponseBody } from '../http/operation'
import type { SdkOperation } from '../sdk/operation'

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

/** What may happen to any request, whatever the operation. */
const COMMON_ERRORS = {
  401: 'No key and no session, or one that opens nothing.',
  403: 'The caller may not do this.',
}
const BODY_ERRORS = { 413: 'The body is over 1 MiB.', 415: 'The body is not JSON.' }

/** A path as OpenAPI writes it: `:id` is `{id}`. */
const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}')

/** Builds the document for all areas. */
export function openApiDocument(areas: readonly Area[], sdk: SdkArea): Json {
  const components: Json = {}
  const paths: Record<string, Json> = {}
  for (const { tag, operations } of areas) {
    for (const operation of operations) {
      const path = templateOf(operation.path)
      paths[path] = { ...paths[path], [operation.method]: describeOperation(operation, tag, components) }
    }
  }
  for (const operation of sdk.operations) {
    const path = templateOf(operation.paths[0])
    for (const method of operation.methods) {
      paths[path] = { ...paths[path], [method]: describeSdkOperation(operation, method, sdk.tag, components) }
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
      schemas: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

type Described = Omit<Operation, 'handle'>

function describeOperation(operation: Described, tag: string, components: Json): Json {
  const { id, summary, description, scope, body, responses } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, ...notesOn(operation)].filter(Boolean).join('\n\n'),
    ...(scope && scope !== 'any' ? { 'x-required-scope': scope } : {}),
    ...securityOf(operation),
    parameters: parametersOf(operation, components),
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(body, components) } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [
          status,
          { description: meaningOf(Number(status)), ...contentOf(response, components) },
        ]),
      ),
      ...commonErrors(operation),
    },
  }
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
function describeSdkOperation(operation: SdkOperation, method: Method, tag: string, components: Json): Json {
  const { id, summary, description, body, params, query, responses, security, paths } = operation
  const described = describeOperation(
    { id, method, path: paths[0], summary, scope: 'any', params, query, body, responses },
    tag,
    components,
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

function throttleErrors(throttles: Described['throttles']): Record<number, string> {
  if (!throttles) return {}
  const limits = throttles.map(({ calls, seconds }) => `${calls} times within ${spanOf(seconds)}`)
  return { 429: `Called more than ${limits.join(', or ')}.` }
}

const spanOf = (seconds: number) => {
  if (seconds === 60) return 'a minute'
  return seconds === 86_400 ? 'a day' : `${seconds / 60} minutes`
}

const commonErrors = ({ access, body, responses, throttles }: Described): Json =>
  Object.fromEntries(
    Object.entries({
      ...(access === 'anybody' ? {} : COMMON_ERRORS),
      ...(body ? BODY_ERRORS : {}),
      ...throttleErrors(throttles),
    })
      .filter(([status]) => !(Number(status) in responses))
      .map(([status, description]) => [
        status,
        { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
      ]),
  )

const contentOf = (response: ResponseBody, components: Json): Json =>
  response === 'empty' ? {} : { content: { 'application/json': { schema: schemaOf(response, components) } } }

function parametersOf({ path, params, query }: Described, components: Json): Json[] {
  const described = propertiesOf(params, components)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(described[name] ?? SEGMENTS[name]),
  }))
  const inQuery = Object.entries(propertiesOf(query, components)).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: isRequired(query, name),
    ...parameter,
  }))
  return [...inPath, ...inQuery]
}

/** Segments that mean the same wherever they stand. */
const SEGMENTS: Record<string, Json> = {
  project_id: {
    description: 'Id of the project, or `@current` for the one that the caller works in.',
    schema: { type: 'string' },
  },
  environment_id: {
    description:
      'Id of the environment, which is that of its project, or `@current` for the one that the caller works in.',
    schema: { type: 'string' },
  },
  organization_id: {
    description: 'Id of the organization, or `@current` for the one that the caller works in.',
    schema: { type: 'string' },
  },
  uuid: { description: 'The uuid of the user, or `@me` for the caller.', schema: { type: 'string' } },
}

/** The members of an object schema, each with its description taken out of its schema. */
function propertiesOf(schema: z.ZodType | undefined, components: Json): Record<string, Json> {
  const { properties = {} } = schema
    ? (schemaOf(schema, components) as { properties?: Record<string, Json> })
    : {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, { description, ...rest }]) => [
      name,
      { ...(description ? { description } : {}), schema: rest },
    ]),
  )
}

const isRequired = (schema: z.ZodType | undefined, name: string): boolean => {
  const field = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>)[name] : undefined
  return field ? !field.safeParse(undefined).success : false
}

/** A schema as JSON Schema. Parts that have an id go to `components` and are referred to. */
function schemaOf(schema: z.ZodType, components: Json): Json {
  const {
    $schema: _dialect,
    $defs = {},
    ...whole
  } = rewriteReferences(
    z.toJSONSchema(schema, {
      io: 'output',
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema as Json),
    }),
  ) as Json & { $defs?: Json }
  for (const [name, part] of Object.entries($defs)) components[name] = withoutId(part as Json)
  const { id } = whole as { id?: string }
  if (id === undefined) return whole
  components[id] = withoutId(whole)
  return { $ref: `#/components/schemas/${id}` }
}

const withoutId = ({ id: _id, ...rest }: Json): Json => rest

/** zod bounds every integer by what a double holds; readers do not need to be told. */
function tidy(schema: Json): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.additionalProperties === false) delete schema.additionalProperties
}

const rewriteReferences = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'))

const MEANINGS: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  302: 'Go there.',
  204: 'Done; no body.',
  400: 'Something in the request is not acceptable; nothing has changed.',
  401: 'No key or token, or one that opens nothing.',
  404: 'There is no such thing in this project.',
  405: 'Not allowed.',
  409: 'Somebody else changed the same thing.',
  413: 'The body is too large.',
  422: 'The history has a gap.',
  500: 'The service failed.',
  502: 'A service that is asked on the way failed.',
  503: 'Storage is busy; the request may be repeated.',
}
const meaningOf = (status: number) => MEANINGS[status] ?? String(status)
