// Converts zod schemas to components of the OpenAPI document, with their documentation.
import type { UnknownObject } from '../json'
import * as z from 'zod'
import { completeExample, mapValues } from './complete-example'
import type { SchemaDocs } from '../http/docs/operation-docs'

/** The input or the output type of a schema. */
export type Side = 'input' | 'output'

export interface Schemas {
  /**
   * Returns a reference to the schema's component. Its name is its id; an object without an id gets `name`; other schemas stay inline.
   * @param docs documents an object without an id
   */
  of(schema: z.ZodType, side: Side, name?: string, docs?: Partial<SchemaDocs>): UnknownObject
  /** Follows a reference. */
  resolved(schema: UnknownObject): UnknownObject
  /** Returns an example of the schema. `given` has the fields that differ from the example of its component. */
  example(schema: UnknownObject, given?: unknown): unknown
  /** Returns all components so far, sorted by name. */
  components(): Record<string, UnknownObject>
}

/** @param docs by name */
export function createSchemas(docs: Readonly<Record<string, SchemaDocs>>): Schemas {
  const components: Record<string, UnknownObject> = {}
  /** Operations share schemas. The first name is used. */
  const names = new Map<z.ZodType, string>()

  const add = (
    name: string,
    { id: _id, ...schema }: UnknownObject,
    own?: Partial<SchemaDocs>,
  ): UnknownObject => {
    const found = docs[name] ?? (own?.description === undefined ? pageDocs(schema) : own)
    components[name] = found ? withDocs(name, schema, found) : schema
    return { $ref: `#/components/schemas/${name}` }
  }

  const referred = ({ $ref }: UnknownObject): string | undefined =>
    typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined

  const completed: Record<string, unknown> = {}
  const exampleOf = (name: string): unknown => {
    if (name in completed) return completed[name]
    // A schema that contains itself has no example of itself inside.
    completed[name] = undefined
    const [given] = (components[name]?.examples ?? []) as unknown[]
    return (completed[name] =
      given === undefined ? undefined : completeExample(components[name]!, given, lookup))
  }
  const lookup = (schema: UnknownObject) => {
    const name = referred(schema)
    return name === undefined ? undefined : { schema: components[name]!, example: exampleOf(name) }
  }

  return {
    of(schema, side, name, own) {
      const known = names.get(schema)
      if (known) return { $ref: `#/components/schemas/${known}` }
      const { $schema: _dialect, $defs = {}, ...whole } = jsonSchemaOf(schema, side)
      const root = referred(whole)
      for (const [part, content] of Object.entries($defs))
        add(part, content as UnknownObject, part === root ? own : undefined)
      const given = (whole.id as string | undefined) ?? nameOf(whole, name)
      if (given === undefined) return whole
      names.set(schema, given)
      return add(given, whole, own)
    },
    resolved: (schema) =>
      typeof schema.$ref === 'string' ? components[schema.$ref.slice(REFERENCE.length)]! : schema,
    example: (schema, given) => completeExample(schema, given, lookup),
    components: () =>
      Object.fromEntries(
        Object.entries(components)
          .map(
            ([name, schema]) =>
              [name, schema.examples ? { ...schema, examples: [exampleOf(name)] } : schema] as const,
          )
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
  }
}

/** Returns the name of an operation's body or response whose schema has none. */
export const nameAfter = (operationId: string, part: 'Body' | 'Response') =>
  `${operationId.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}${part}`

export const REFERENCE = '#/components/schemas/'

/** Returns the name of the row schema, if the schema is a page. */
function itemOf({ properties }: UnknownObject): string | undefined {
  const { count, results } = (properties ?? {}) as Record<string, { items?: { $ref?: string } } | undefined>
  return count && results?.items?.$ref?.slice(REFERENCE.length)
}

function nameOf(schema: UnknownObject, name: string | undefined): string | undefined {
  if (schema.type !== 'object' || !schema.properties) return undefined
  const item = itemOf(schema)
  return item ? `${item}Page` : name
}

function pageDocs(schema: UnknownObject): SchemaDocs | undefined {
  if (itemOf(schema) === undefined) return undefined
  return {
    description: 'A page of a list, with the addresses of the pages around it.',
    fields: {
      count: 'Rows that match, on all pages together.',
      next: 'URL of the next page; null on the last.',
      previous: 'URL of the page before; null on the first.',
      results: 'The rows of this page, in order.',
    },
    example: { count: 1 },
  }
}

const jsonSchemaOf = (schema: z.ZodType, io: Side): UnknownObject & { $defs?: UnknownObject } =>
  JSON.parse(
    JSON.stringify(
      z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as UnknownObject, io),
      }),
    ).replaceAll('"#/$defs/', `"${REFERENCE}`),
  )

/** Formats for which zod adds a pattern. */
const SPELLED_OUT: ReadonlySet<unknown> = new Set(['uuid', 'email'])

/**
 * Removes what zod adds: patterns of formats, bounds of doubles, and `additionalProperties: false` of objects that strip. Adds what it leaves
 * out: defaults of fields that coerce.
 */
function tidy(declared: z.core.$ZodType, schema: UnknownObject, io: Side): void {
  const usual = io === 'input' ? defaultOf(declared) : undefined
  if (usual !== undefined) schema.default = usual
  if (SPELLED_OUT.has(schema.format) || schema.type === 'integer') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
}

function defaultOf(schema: z.core.$ZodType): unknown {
  const { def } = (schema as z.core.$ZodDefault)._zod
  return def.type === 'default' ? def.defaultValue : z.globalRegistry.get(schema)?.default
}

/**
 * Changes schemas of bodies for generators of clients, some of which treat a field with a default as required: the default of an optional
 * field moves into an `allOf`. A default without any other keyword is removed, because an `allOf` needs a schema; the description states
 * it.
 */
export const withOptionalDefaults = (
  components: Record<string, UnknownObject>,
): Record<string, UnknownObject> => mapValues(components, optionalDefaultsIn) as Record<string, UnknownObject>

function optionalDefaultsIn(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(optionalDefaultsIn)
  if (typeof schema !== 'object' || schema === null) return schema
  const { required = [] } = schema as { required?: readonly string[] }
  return mapValues(schema as UnknownObject, (part, keyword) => {
    if (keyword === 'examples' || keyword === 'default') return part
    if (keyword !== 'properties') return optionalDefaultsIn(part)
    return mapValues(part as UnknownObject, (field, name) => {
      const inner = optionalDefaultsIn(field)
      return required.includes(name) ? inner : wrappedDefault(inner as UnknownObject)
    })
  })
}

function wrappedDefault(field: UnknownObject): UnknownObject {
  if (!('default' in field)) return field
  const { description, ...rest } = field
  if (Object.keys(rest).length === 1) return description === undefined ? {} : { description }
  return { ...(description === undefined ? {} : { description }), allOf: [rest] }
}

/**
 * Adds documentation to a schema.
 * @throws Error when `docs` has a field that the schema does not have
 */
function withDocs(
  name: string,
  schema: UnknownObject,
  { description, fields = {}, example }: Partial<SchemaDocs>,
): UnknownObject {
  const described = structuredClone(schema)
  for (const [path, text] of Object.entries(fields)) {
    const found = fieldsAt(described, path.split('.'))
    if (found.length === 0) throw new Error(`${name} has no field ${path} to document`)
    for (const field of found) field.description = text
  }
  return { ...described, description, ...(example === undefined ? {} : { examples: [example] }) }
}

/** Returns the schemas of the fields at a path, one for every branch that has it. */
function fieldsAt(schema: UnknownObject, [field, ...rest]: string[]): UnknownObject[] {
  return objectsIn(schema).flatMap(({ properties }) => {
    const found = (properties as Record<string, UnknownObject>)[field!]
    if (!found) return []
    return rest.length === 0 ? [found] : fieldsAt(found, rest)
  })
}

/** Returns the object schemas in a schema: itself, or those in its lists, maps and unions. */
function objectsIn(schema: unknown): UnknownObject[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    properties,
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema as UnknownObject
  return [
    ...(properties ? [schema as UnknownObject] : []),
    ...[items, additionalProperties, ...[anyOf, oneOf, allOf].flat()].flatMap(objectsIn),
  ]
}
