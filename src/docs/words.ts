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
