// Everything in the document has its words: what a reader would otherwise have to guess.
import { describe, expect, it } from 'vitest'
import { openApi } from '../support/generated'

// oxlint-disable-next-line typescript/no-explicit-any -- a document of any depth is looked through
type Json = Record<string, any>

const document = openApi<Json>()
const schemas = Object.entries(document.components.schemas as Record<string, Json>)
const operations = Object.values(document.paths as Record<string, Record<string, Json>>).flatMap((path) =>
  Object.values(path),
)

/** Names of the fields without a description. A field that is a schema of its own says it there. */
function undescribed(schema: unknown, at: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema as Json
  return [
    ...Object.entries(properties as Record<string, Json>).flatMap(([name, field]) => [
      ...(field.description || field.$ref ? [] : [`${at}.${name}`]),
      ...undescribed(field, `${at}.${name}`),
    ]),
    ...[items, additionalProperties, ...anyOf, ...oneOf, ...allOf].flatMap((part) => undescribed(part, at)),
  ]
}

describe('the schemas', () => {
  it('have descriptions', () => {
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([])
  })

  it('describe every field', () => {
    expect(schemas.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([])
  })
})

describe('the operations', () => {
  it('describe every parameter', () => {
    const missing = operations.flatMap(({ operationId, parameters }) =>
      (parameters as Json[])
        .filter(({ description }) => !description)
        .map(({ name }) => `${operationId}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('have an example of each response', () => {
    const silent = operations
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses as Record<string, Json>)
          .filter(([status]) => Number(status) < 300)
          .map(([, { content }]) => ({ operationId, ...content?.['application/json'] })),
      )
      .filter(({ schema, example }) => schema && !schema.$ref && !schema.items?.$ref && example === undefined)
    expect(silent.map(({ operationId }) => operationId)).toEqual([])
  })
})
