// The bodies and queries of all operations, as their own routers read them. They derive from the schemas of the operations: a new one is covered.
import { Hono } from 'hono'
import * as z from 'zod'
import { areas } from '../../../../src/areas'
import { areaRouter } from '../../../../src/http/area-router'
import { MAX_BODY_BYTES } from '../../../../src/http/body/body'
import { createRequestMemory } from '../../../../src/http/limits/request-memory'
import type { Operation } from '../../../../src/http/operation'
import { renderError } from '../../../../src/http/render-error'
import type { UnknownObject } from '../../../../src/json'
import { itGrowsLinearly } from '../entry-growth'
import { type Entry, entry, mapped, type Shapes, texts, VALUES } from '../shapes'

/** A part of what a body may have, of which test/hostile/growth/entries/sdk.test.ts reads all: as much as shows how the work grows. */
const MAX_BODY = MAX_BODY_BYTES / 4

/** Lists and objects within each other that are filled. */
const MAX_DEPTH = 4

interface Schema extends UnknownObject {
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  $defs?: Record<string, Schema>
  $ref?: string
}

/** A body with a value in every place that its schema has for any. What a constant or a list of choices leaves is that. */
type Fill = (value: unknown) => unknown

/** @param root of references */
function fillOf(schema: Schema, root: Schema, depth = 0): Fill {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1)!
    const target = schema.$ref === '#' ? root : root.$defs?.[name]
    return depth > MAX_DEPTH || !target ? (value) => value : fillOf(target, root, depth + 1)
  }
  if ('const' in schema) return () => schema.const
  // The last choice is the one with the most parts more often than null.
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf
  const choice = choices?.find(({ type }) => type === 'object' || type === 'array') ?? choices?.[0]
  if (choice) return fillOf(choice, root, depth)
  if (depth > MAX_DEPTH) return (value) => value
  if (schema.type === 'array' && schema.items) {
    const item = fillOf(schema.items, root, depth + 1)
    return (value) => (Array.isArray(value) ? value.map(item) : [item(value)])
  }
  if (schema.type !== 'object') return (value) => value
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, member]) => [name, fillOf(member, root, depth + 1)] as const,
  )
  if (members.length === 0) return (value) => value
  return (value) => Object.fromEntries(members.map(([name, fill]) => [name, fill(value)]))
}

const jsonSchemaOf = (schema: z.ZodType): Schema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema

/** Places that a value gets: a body of all of them has the size of one. */
const placesIn = (fill: Fill): number => JSON.stringify(fill('\u{1F7E5}')).split('\u{1F7E5}').length - 1

/** The steps before the work of an operation, for anybody. */
function requestTo(operation: Operation): (body: string | null, query?: string) => Promise<string> {
  const router = areaRouter([
    {
      ...operation,
      path: '/',
      params: undefined,
      access: 'public',
      scope: null,
      throttles: undefined,
      targetUser: undefined,
      responses: { 204: 'empty', ...operation.responses },
      handle: async () => new Response(null, { status: 204 }),
    } as unknown as Operation,
  ])
  const app = new Hono<{ Variables: { deps: unknown } }>()
  app.use(async (c, next) => {
    c.set('deps', { memory: createRequestMemory().open() })
    await next()
  })
  app.route('/', router as never)
  app.onError((error) => {
    // What is no refusal is a fault.
    if (error.name !== 'ApiError') throw error
    return renderError(error)
  })
  return async (body, query = '') => {
    const response = await app.request(`/?${query}`, {
      method: operation.method.toUpperCase(),
      ...(body === null ? {} : { body, headers: { 'Content-Type': 'application/json' } }),
    })
    return response.text()
  }
}

const valuesInPlaces: Shapes = {
  ...texts(
    'digits',
    'blanks',
    'dots',
    'at signs',
    'percents',
    'half characters',
    'letters that grow in lower case',
  ),
  'a wide object': VALUES['a wide object'],
  'an object of names that differ in case': VALUES['an object of names that differ in case'],
  'a list of texts': VALUES['a list of texts'],
  'a list of objects': VALUES['a list of objects'],
  'nested objects': VALUES['nested objects'],
}

function bodyEntry(operation: Operation): Entry[] {
  if (!operation.body) return []
  const schema = jsonSchemaOf(operation.body)
  const fill = fillOf(schema, schema)
  const places = Math.max(1, placesIn(fill))
  const send = requestTo(operation)
  const shapes = mapped(valuesInPlaces, (value) => JSON.stringify(fill(value)))
  const inAll = Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [name, (size: number) => shape(size / places)]),
  )
  return [entry(`the body of ${operation.id}`, MAX_BODY, inAll, (body) => send(body))]
}

/** What a URL may have on Cloudflare. */
const MAX_URL = 16 * 1024

function queryEntry(operation: Operation): Entry[] {
  if (!operation.query) return []
  const names = Object.keys(jsonSchemaOf(operation.query).properties ?? {})
  const send = requestTo(operation)
  const shapes = mapped(texts('one letter', 'digits', 'commas', 'blanks', 'opening brackets'), (text) =>
    new URLSearchParams(names.map((name) => [name, text.slice(0, text.length / names.length)])).toString(),
  )
  return [
    entry(`the query of ${operation.id}`, MAX_URL, shapes, (query) =>
      send(operation.body ? '{}' : null, query),
    ),
  ]
}

/** Operations of a project and of its environment share their schemas. */
const seen = new Set<unknown>()
const isNew = ({ body, query }: Operation): boolean => {
  const isKnown = [body, query].every((schema) => !schema || seen.has(schema))
  seen.add(body).add(query)
  return !isKnown
}

const ENTRIES: readonly Entry[] = areas
  .flatMap(({ operations }) => operations)
  .filter(isNew)
  .flatMap((operation) => [...bodyEntry(operation), ...queryEntry(operation)])

itGrowsLinearly('operations', ENTRIES)
