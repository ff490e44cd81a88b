// The document as a whole: nothing that it refers to is missing, and every operation says what a caller has to know.
import { Validator } from '@cfworker/json-schema'
import { describe, expect, it } from 'vitest'
import { openApi } from '../support/generated'

type Json = Record<string, unknown>

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: [string]
  security?: Json[]
  parameters: Json[]
  requestBody?: Json
  responses: Record<string, Json>
  'x-codeSamples': { lang: string; label: string; source: string }[]
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string; description: string }[]
  components: { responses: Record<string, Json>; schemas: Json }
}

const document = openApi<Document>()
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

/** Ids of the operations of which something is not so. */
const without = (holds: (operation: Operation) => unknown) =>
  operations.filter((operation) => !holds(operation)).map(({ operationId }) => operationId)

const isPublic = ({ security }: Operation) => security?.length === 0

function referencesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [value] : referencesIn(value),
  )
}

const at = (pointer: string) =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document)

describe('the document', () => {
  it('holds everything that it refers to', () => {
    const missing = referencesIn(document).filter((pointer) => at(pointer) === undefined)
    expect(missing).toEqual([])
  })

  it('describes every tag, and has operations under each', () => {
    const used = new Set(operations.map(({ tags: [tag] }) => tag))
    expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
    expect(document.tags.filter(({ description }) => !description)).toEqual([])
  })

  it('shows errors that their schemas take', () => {
    const answers = [
      ...Object.values(document.components.responses),
      ...operations.flatMap(({ responses }) => Object.values(responses)),
    ]
    const shown = answers.flatMap(({ content }) => {
      const { schema, examples = {} } =
        (content as Record<string, Json> | undefined)?.['application/json'] ?? {}
      return Object.values(examples as Record<string, Json>).map(({ value }) => ({ schema, value }))
    })
    expect(faultsOf(shown)).toEqual([])
  })

  it('shows parameters, bodies and responses that their schemas take', () => {
    const ofComponents = Object.entries(document.components.schemas).flatMap(([name, schema]) =>
      ((schema as { examples?: unknown[] }).examples ?? [undefined]).map((value) => ({
        schema: { $ref: `#/components/schemas/${name}` },
        value,
      })),
    )
    const ofOperations = operations
      .flatMap(({ parameters, requestBody, responses }) => [
        ...parameters,
        ...[requestBody, ...Object.values(responses)].flatMap((part) =>
          Object.values((part?.content ?? {}) as Record<string, Json>),
        ),
      ])
      .filter((media) => 'example' in media)
      .map(({ schema, example }) => ({ schema, value: example }))
    expect(ofComponents.filter(({ value }) => value === undefined)).toEqual([])
    expect(ofOperations.length).toBeGreaterThan(20)
    expect(faultsOf([...ofComponents, ...ofOperations])).toEqual([])
  })
})

/** Errors of values that their schemas do not take. */
function faultsOf(shown: readonly { schema: unknown; value: unknown }[]): string[] {
  return [...new Set(shown.map((each) => JSON.stringify(each)))].flatMap((text) => {
    const { schema, value } = JSON.parse(text) as { schema: Json; value: unknown }
    const validator = new Validator({ ...schema, components: document.components }, '2020-12', false)
    return validator.validate(value).errors.map(({ error }) => `${JSON.stringify(value)}: ${error}`)
  })
}

describe('every operation', () => {
  it('has an id of its own', () => {
    const ids = operations.map(({ operationId }) => operationId)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it('has a summary and a description', () => {
    expect(without(({ summary, description }) => summary && description)).toEqual([])
    expect(without(({ summary }) => summary.length <= 80 && !summary.endsWith('.'))).toEqual([])
  })

  it('documents its errors', () => {
    const declares = (status: string) =>
      without((operation) => isPublic(operation) || status in operation.responses)
    expect(declares('401')).toEqual([])
    expect(without(({ responses }) => '503' in responses)).toEqual([])
    expect(
      without(({ requestBody, responses }) => !requestBody || ('400' in responses && '413' in responses)),
    ).toEqual([])
  })

  it('succeeds, but for those that are there to be rejected or to lead on', () => {
    expect(
      without(({ responses }) => Object.keys(responses).some((status) => status.startsWith('2'))),
    ).toEqual([
      'feature_flags_destroy',
      'endpoints_bulk_update_tags_create',
      'environments_endpoints_bulk_update_tags_create',
      'chat_link_start',
      'chat_link_callback',
    ])
  })
})

describe('every sample', () => {
  it('is for a shell, and calls the service last', () => {
    expect(
      without(({ 'x-codeSamples': [sample] }) => sample?.lang === 'shell' && sample.label === 'curl'),
    ).toEqual([])
    expect(
      without(({ 'x-codeSamples': [sample] }) =>
        /(?:^|\n)curl -s[^\n]* "?\$HALYARD[^|]*$/.test(sample!.source),
      ),
    ).toEqual([])
  })

  it('has comments that a shell without comments does not stumble over', () => {
    const comments = operations.flatMap(
      ({ 'x-codeSamples': [sample] }) => sample!.source.match(/^#.*$/gm) ?? [],
    )
    expect(comments.filter((comment) => !/^# [\w ,:]+$/.test(comment))).toEqual([])
  })
})
