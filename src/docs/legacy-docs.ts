// Documentation that does not stand beside its operation or schema yet.
import { ADDITIVE, ASKS_OTHERS, NAMED_UPSTREAM, REPLACING } from './legacy-tools'
import type { OperationDocs, ParameterDocs, SchemaDocs } from '../http/docs/operation-docs'
import { OTHER_MEDIA } from './legacy-media'
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
  const name = NAMED_UPSTREAM[id]
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
    ...(OTHER_MEDIA[id] ? { response: { mediaType: OTHER_MEDIA[id][0], example: OTHER_MEDIA[id][1] } } : {}),
    ...(PARTICULAR[id] ? { errors: PARTICULAR[id] } : {}),
    ...(NEEDS[id] ? { sample: NEEDS[id] } : {}),
    tool: {
      ...(name ? { name } : {}),
      ...(ADDITIVE.has(id) ? { isAdditive: true } : {}),
      ...(REPLACING.has(id) ? { isAdditive: false } : {}),
      ...(ASKS_OTHERS.has(id) ? { isOpenWorld: true as const } : {}),
    },
  }
}

/** Adds to `docs` what the legacy tables say of what is not documented in place. */
export function withLegacyDocs(docs: Docs): Docs {
  const ids = new Set([
    ...Object.keys(glossary.operations),
    ...Object.keys(PARTICULAR),
    ...Object.keys(NEEDS),
    ...Object.keys(OTHER_MEDIA),
    ...Object.keys(NAMED_UPSTREAM),
    ...ADDITIVE,
    ...REPLACING,
    ...ASKS_OTHERS,
  ])
  for (const id of ids) {
    const legacy = operationDocs(id, glossary.operations[id] ?? {})
    docs.operations[id] = { ...legacy, ...docs.operations[id] }
  }
  for (const [name, words] of Object.entries(glossary.schemas)) docs.schemas[name] ??= schemaDocs(words)
  return docs
}
