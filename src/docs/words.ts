// What the reference says beyond shapes. Words live in `*.words.ts` files beside the schemas that they are about, and only the document is
// made of them: the Worker carries none.

/** What is said of a schema. */
export interface SchemaWords {
  /** What it is, in a sentence or two. */
  is: string
  /**
   * By field, in a sentence: what it means, its unit, its default where the schema has none. A nested field is named by its path, whatever
   * list, map or choice it is in: `columns.name`.
   */
  fields?: Readonly<Record<string, string>>
  /** A value that the schema takes. */
  example?: unknown
}

/** What is said of a parameter: in a sentence, or with a value that works. */
export type ParameterWords = string | { is: string; example: unknown }

/** What is said of an operation besides its own summary and description. */
export interface OperationWords {
  /** By name, in the path or in the query. */
  parameters?: Readonly<Record<string, ParameterWords>>
  /** A body to send; else that of the body's schema. */
  body?: unknown
  /** That a body has to be sent, where its schema does not tell: it takes several fields, of which one has to be there. */
  needsBody?: true
  /** What success looks like; else what the example of the answer's schema says. */
  answer?: unknown
}

/** An operation inside environments is the same as inside projects, under another path. */
export const inProject = (id: string) => id.replace(/^environments_/, '')

/** The words of a topic. */
export interface Words {
  /** By the name that a schema has in the document. */
  schemas?: Readonly<Record<string, SchemaWords>>
  /** By operation id. What is said of an operation inside projects holds for its form inside environments too. */
  operations?: Readonly<Record<string, OperationWords>>
}

/** Words of several topics as one. @throws Error when two say something of the same thing */
export function joinWords(topics: readonly Words[]): Required<Words> {
  const joined = {
    schemas: {} as Record<string, SchemaWords>,
    operations: {} as Record<string, OperationWords>,
  }
  for (const { schemas = {}, operations = {} } of topics) {
    addAll(joined.schemas, schemas)
    addAll(joined.operations, operations)
  }
  return joined
}

function addAll<Value>(to: Record<string, Value>, more: Readonly<Record<string, Value>>): void {
  for (const [name, value] of Object.entries(more)) {
    if (name in to) throw new Error(`Two files have words for ${name}`)
    to[name] = value
  }
}

type Json = Record<string, unknown>

/**
 * A JSON schema with its words written into it.
 * @throws Error when words are about a field that the schema does not have
 */
export function withWords(name: string, schema: Json, { is, fields = {}, example }: SchemaWords): Json {
  const described = structuredClone(schema)
  for (const [path, text] of Object.entries(fields)) {
    const places = fieldsAt(described, path.split('.'))
    if (places.length === 0) throw new Error(`${name} has no field ${path} to say something of`)
    for (const place of places) place.description = text
  }
  return { ...described, description: is, ...(example === undefined ? {} : { examples: [example] }) }
}

/** The schemas of the fields that a path names: one in every branch that has it. */
function fieldsAt(schema: Json, [field, ...rest]: string[]): Json[] {
  return objectsIn(schema).flatMap(({ properties }) => {
    const found = (properties as Record<string, Json>)[field!]
    if (!found) return []
    return rest.length === 0 ? [found] : fieldsAt(found, rest)
  })
}

/** The objects that a schema is made of: itself, or what its lists, maps and choices hold. */
function objectsIn(schema: unknown): Json[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema as Json
  return [
    ...(properties ? [schema as Json] : []),
    ...[items, additionalProperties, ...[anyOf, oneOf, allOf].flat()].flatMap(objectsIn),
  ]
}
