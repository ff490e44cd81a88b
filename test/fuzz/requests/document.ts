// The OpenAPI document, read as a client would: what each operation takes, and what it may answer.
import { dereference, validate } from '@cfworker/json-schema'
import { openApi } from '../../support/generated'
import type { TestResponse } from '../../support/harness'
import type { Schema } from './arbitrary'

export interface Parameter {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: Schema
  example?: unknown
}

interface Content {
  description: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: Schema }>
}

type Response = Content | { $ref: string }

interface Entry {
  operationId: string
  parameters: Parameter[]
  requestBody?: Pick<Content, 'content'>
  responses: Record<string, Response>
  security?: Record<string, unknown>[]
}

/** An operation as the document describes it. */
export interface Documented {
  /** Method and path: unique, which operation ids are not where two methods share one. */
  name: string
  id: string
  method: string
  path: string
  parameters: Parameter[]
  /** The schema of its body. */
  body: Schema | undefined
  responses: Record<string, Content>
  /** Who may call: those who hold one of these. Nobody has to say who they are where there is none. */
  credentials: string[]
}

interface OpenApi {
  paths: Record<string, Record<string, Entry>>
  components: { schemas: Record<string, Schema>; responses?: Record<string, Content> }
  security: Record<string, unknown>[]
}

// What the file that is served holds: what JSON makes of it.
const document = openApi<OpenApi>()

export const schemas = document.components.schemas

/** A stream does not end with its request; test/sdk/stream.test.ts sends bad input. */
const STREAM = '/flags/stream/'

export const documented: readonly Documented[] = Object.entries(document.paths)
  .filter(([path]) => path !== STREAM)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({
      name: `${method.toUpperCase()} ${path}`,
      id: entry.operationId,
      method: method.toUpperCase(),
      path,
      parameters: entry.parameters,
      body: entry.requestBody?.content?.['application/json']?.schema,
      responses: Object.fromEntries(
        Object.entries(entry.responses).map(([status, response]) => [status, responseOf(response)]),
      ),
      credentials: (entry.security ?? document.security).flatMap((each) => Object.keys(each)),
    })),
  )

function responseOf(response: Response): Content {
  if (!('$ref' in response)) return response
  const shared = document.components.responses?.[response.$ref.replace('#/components/responses/', '')]
  if (!shared) throw new Error(`There is no response ${response.$ref}`)
  return shared
}

/** Literal segments come before parameters, as in the routers. */
const inOrder = documented.toSorted((a, b) => {
  const rank = ({ path }: Documented) => path.replace(/\{\w+\}/g, '\uffff')
  return rank(a) < rank(b) ? -1 : 1
})

const patternOf = (path: string) =>
  new RegExp(
    `^${path
      .replace(/\/$/, '')
      .replace(/[.]/g, '\\.')
      .replace(/\{\w+\}/g, '[^/]+')}/?$`,
  )

/** The operations that a path belongs to, by method; none for a path that the document does not know. */
export function operationsAt(pathname: string): Map<string, Documented> {
  const path = decoded(pathname)
  const found = inOrder.find((operation) => patternOf(operation.path).test(path))
  const here = documented.filter((operation) => operation.path === found?.path)
  return new Map(here.map((operation) => [operation.method, operation]))
}

function decoded(pathname: string): string {
  try {
    return decodeURI(pathname)
  } catch {
    return pathname
  }
}

const keyOf = (name: string, status: number | string, type: string) =>
  `${name} ${status} ${type}`.replaceAll(/[^\w]+/g, '_')

/** Schemas as a validator finds them, under `#/$defs/`: the parts of the document, and what each operation answers. */
const lookup = dereference(validatorRoot())

function validatorRoot() {
  const answers = documented.flatMap(({ name, responses }) =>
    Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Object.entries(content).map(([type, { schema }]) => [keyOf(name, status, type), schema] as const),
    ),
  )
  const all = { ...schemas, ...Object.fromEntries(answers) }
  return JSON.parse(
    JSON.stringify({ $id: 'https://halyard.test/document', $defs: closed(all) }).replaceAll(
      '"#/components/schemas/',
      '"#/$defs/',
    ),
  ) as Schema
}

/** Where members are named and nothing is said of others, there are no others: a response holds what the document shows. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]))
  const isClosed =
    typeof parts.properties === 'object' && !('additionalProperties' in parts) && parts.type === 'object'
  return isClosed ? { ...parts, additionalProperties: false } : parts
}

/** What a response has that the document does not: in words, none when it is as described. */
export function departuresOf(
  { name, responses }: Documented,
  { status, headers, body }: TestResponse,
): string[] {
  const declared = responses[status]
  if (!declared) return [`${status} is not declared for ${name}: ${JSON.stringify(body)}`]
  const missing = Object.keys(declared.headers ?? {}).filter((header) => !headers.has(header))
  if (missing.length > 0) return [`${status} of ${name} comes without ${missing.join(', ')}`]
  if (!declared.content) return body === null ? [] : [`${status} of ${name} is declared without a body`]
  // The one thing that only words can say: that a body may be missing.
  if (body === null && /\bNo body\b/.test(declared.description)) return []
  const type = (headers.get('Content-Type') ?? 'none').split(';')[0]!
  if (!(type in declared.content)) return [`${status} of ${name} comes as ${type}: ${JSON.stringify(body)}`]
  return failuresUnder(keyOf(name, status, type), body).map((failure) => `${status} of ${name}: ${failure}`)
}

/** What is wrong with an error that belongs to no operation. */
export const failuresAsError = (body: unknown): string[] => failuresUnder('Error', body)

function failuresUnder(key: string, body: unknown): string[] {
  const schema = lookup[`https://halyard.test/document#/$defs/${key}`]
  if (schema === undefined) throw new Error(`No schema ${key}`)
  const { errors } = validate(wellFormed(body), schema, '2020-12', lookup, false)
  return errors.map(({ instanceLocation, error }) => `${instanceLocation} ${error}`)
}

/** The validator makes URIs of members' names, which cannot be done of half a character. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name.toWellFormed(), wellFormed(each)]),
  )
}
