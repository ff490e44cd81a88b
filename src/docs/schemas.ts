// From zod schemas to the document's: each under a name, with its documentation.
import * as z from 'zod'
import type { SchemaDocs } from '../http/docs/operation-docs'

type Json = Record<string, unknown>

/** Which side of a schema is meant: what may be sent, or what comes. */
export type Side = 'input' | 'output'

export interface Schemas {
  /**
   * The schema as the document refers to it: by its own id, by `name` when it is an object without one, in place when it is something else.
   * @param docs of a schema that is named `name`.
   */
  of(schema: z.ZodType, side: Side, name?: string, docs?: Partial<SchemaDocs>): Json
  /** What a schema refers to, or the schema itself. */
  resolved(schema: Json): Json
  /** What was referred to so far, by name, in order. */
  components(): Record<string, Json>
}

/**
 * A collection of schemas.
 * @param docs by name
 */
export function createSchemas(docs: Readonly<Record<string, SchemaDocs>>): Schemas {
  const components: Record<string, Json> = {}
  /** Operations that exist in several forms share their schemas: the first one's name is everybody's. */
  const names = new Map<z.ZodType, string>()

  const add = (name: string, { id: _id, ...schema }: Json, own?: Partial<SchemaDocs>): Json => {
    const found = docs[name] ?? (own?.description === undefined ? pageDocs(schema, docs) : own)
    components[name] = found ? withDocs(name, schema, found) : schema
    return { $ref: `#/components/schemas/${name}` }
  }

  return {
    of(schema, side, name, own) {
      const known = names.get(schema)
      if (known) return { $ref: `#/components/schemas/${known}` }
      const { $schema: _dialect, $defs = {}, ...whole } = jsonSchemaOf(schema, side)
      for (const [part, content] of Object.entries($defs)) add(part, content as Json)
      const given = (whole.id as string | undefined) ?? nameOf(whole, name)
      if (given === undefined) return whole
      names.set(schema, given)
      return add(given, whole, own)
    },
    resolved: (schema) =>
      typeof schema.$ref === 'string' ? components[schema.$ref.slice(REFERENCE.length)]! : schema,
    components: () => Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}

/** The name of an operation's body or response where its schema has none. */
export const nameAfter = (operationId: string, part: 'Body' | 'Response') =>
  `${operationId.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}${part}`

export const REFERENCE = '#/components/schemas/'

/** What is on a page, if the schema is one. */
function itemOf({ properties }: Json): string | undefined {
  const { count, results } = (properties ?? {}) as Record<string, { items?: { $ref?: string } } | undefined>
  return count && results?.items?.$ref?.slice(REFERENCE.length)
}

/** A page is named after what is on it, any other object as the caller says. */
function nameOf(schema: Json, name: string | undefined): string | undefined {
  if (schema.type !== 'object' || !schema.properties) return undefined
  const item = itemOf(schema)
  return item ? `${item}Page` : name
}

/** All pages are alike. */
function pageDocs(schema: Json, docs: Readonly<Record<string, SchemaDocs>>): SchemaDocs | undefined {
  const item = itemOf(schema)
  if (item === undefined) return undefined
  return {
    description: 'A page of a list, with the addresses of the pages around it.',
    fields: {
      count: 'Rows that match, on all pages together.',
      next: 'URL of the next page; null on the last.',
      previous: 'URL of the page before; null on the first.',
      results: 'The rows of this page, in order.',
    },
    example: { count: 1, next: null, previous: null, results: [docs[item]?.example] },
  }
}

const jsonSchemaOf = (schema: z.ZodType, io: Side): Json & { $defs?: Json } =>
  JSON.parse(
    JSON.stringify(
      z.toJSONSchema(schema, {
        io,
        unrepresentable: 'any',
        override: ({ jsonSchema }) => tidy(jsonSchema as Json, io),
      }),
    ).replaceAll('"#/$defs/', `"${REFERENCE}`),
  )

/** Formats that zod writes down as a pattern too. */
const SPELLED_OUT: ReadonlySet<unknown> = new Set(['uuid', 'email'])

/**
 * zod bounds every integer by what a double holds, and what an object may have besides by what it would strip; readers do not need to be told.
 * Only where more is refused do they.
 */
function tidy(schema: Json, io: Side): void {
  // A format says it shorter; and a pattern is for texts.
  if (SPELLED_OUT.has(schema.format) || schema.type === 'integer') delete schema.pattern
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties
}

/** @throws Error when `docs` has a field that the schema does not have */
function withDocs(
  name: string,
  schema: Json,
  { description, fields = {}, example }: Partial<SchemaDocs>,
): Json {
  const described = structuredClone(schema)
  for (const [path, text] of Object.entries(fields)) {
    const found = fieldsAt(described, path.split('.'))
    if (found.length === 0) throw new Error(`${name} has no field ${path} to document`)
    for (const field of found) field.description = text
  }
  return { ...described, description, ...(example === undefined ? {} : { examples: [example] }) }
}

/** The schemas of the fields at a path: one in every branch that has it. */
function fieldsAt(schema: Json, [field, ...rest]: string[]): Json[] {
  return objectsIn(schema).flatMap(({ properties }) => {
    const found = (properties as Record<string, Json>)[field!]
    if (!found) return []
    return rest.length === 0 ? [found] : fieldsAt(found, rest)
  })
}

/** The object schemas in a schema: itself, or those in its lists, maps and unions. */
function objectsIn(schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema as Json
  return [
    ...(properties ? [schema as Json] : []),
    ...[items, additionalProperties, ...[anyOf, oneOf, allOf].flat()].flatMap(objectsIn),
  ]
}
