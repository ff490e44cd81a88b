// Documentation that does not stand beside its operation or schema yet.
import type { OperationDocs, ParameterDocs, SchemaDocs } from '../http/docs/operation-docs'
import { PARTICULAR } from './particular-errors'
import { NEEDS } from './samples/table'
import { glossary } from './glossary'
import type { Docs } from './collect'
import type { OperationWords, ParameterWords, SchemaWords } from './words'

const schemaDocs = ({ is, ...rest }: SchemaWords): SchemaDocs => ({ description: is, ...rest })

const parameterDocs = (words: ParameterWords): ParameterDocs =>
  typeof words === 'string' ? words : { description: words.is, example: words.example }

function operationDocs(id: string, words: OperationWords): OperationDocs {
  const { parameters, body, needsBody, answer } = words
  return {
    ...(parameters
      ? {
          parameters: Object.fromEntries(
            Object.entries(parameters).map(([key, value]) => [key, parameterDocs(value)]),
          ),
        }
      : {}),
    ...(body !== undefined || needsBody
      ? {
          body: {
            ...(body === undefined ? {} : { example: body }),
            ...(needsBody ? { isRequired: needsBody } : {}),
          },
        }
      : {}),
    ...(answer !== undefined ? { response: { example: answer } } : {}),
    ...(PARTICULAR[id] ? { errors: PARTICULAR[id] } : {}),
    ...(NEEDS[id] ? { sample: NEEDS[id] } : {}),
  }
}

/** Adds to `docs` what the legacy tables say of what is not documented in place. */
export function withLegacyDocs(docs: Docs): Docs {
  const ids = new Set([
    ...Object.keys(glossary.operations),
    ...Object.keys(PARTICULAR),
    ...Object.keys(NEEDS),
  ])
  for (const id of ids) {
    const legacy = operationDocs(id, glossary.operations[id] ?? {})
    docs.operations[id] = { ...legacy, ...docs.operations[id] }
  }
  for (const [name, words] of Object.entries(glossary.schemas)) docs.schemas[name] ??= schemaDocs(words)
  return docs
}
