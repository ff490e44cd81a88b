// What is made of a schema holds to it.
import { type Schema as JsonSchema, Validator } from '@cfworker/json-schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Schema, type Sources, valuesOf } from './arbitrary'

const SCHEMAS: Record<string, Schema> = {
  Tree: {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, maxLength: 5 },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
    required: ['name', 'children'],
    additionalProperties: false,
  },
}

const sampled = (schema: Schema, sources: Partial<Sources> = {}) =>
  fc.sample(valuesOf(schema, { schemas: SCHEMAS, ...sources }), { numRuns: 200, seed: 1 })

const validatorOf = (schema: Schema) =>
  new Validator(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: SCHEMAS }).replaceAll('#/components/schemas/', '#/$defs/'),
    ) as JsonSchema,
    '2020-12',
  )

describe('values of a schema', () => {
  it.each<[string, Schema]>([
    ['a text', { type: 'string', minLength: 2, maxLength: 3 }],
    ['a moment', { type: 'string', format: 'date-time' }],
    ['a uuid', { type: 'string', format: 'uuid' }],
    ['an address', { type: 'string', format: 'email' }],
    ['a pattern', { type: 'string', pattern: '^[a-c]{2}-\\d$' }],
    ['an integer', { type: 'integer', minimum: 3, maximum: 7 }],
    ['an integer from somewhere', { type: 'integer', minimum: 1_000_000 }],
    ['an integer up to somewhere', { type: 'integer', maximum: -1_000_000 }],
    ['a number', { type: 'number', minimum: 0, maximum: 1 }],
    ['one of several types', { type: ['string', 'null'] }],
    ['a choice', { enum: ['a', 1, null] }],
    ['a constant', { const: { a: 1 } }],
    [
      'one of several schemas',
      { anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'integer' } }] },
    ],
    ['a list', { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 2 }],
    ['a long list', { type: 'array', items: { type: 'null' }, minItems: 20 }],
    ['a pair', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }] }],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }],
    [
      'an object',
      {
        type: 'object',
        properties: { id: { type: 'integer' }, name: { type: 'string' }, tags: { type: 'array' } },
        required: ['id'],
        additionalProperties: false,
      },
    ],
    ['a schema that refers to itself', { $ref: '#/components/schemas/Tree' }],
  ])('match the schema: %s', (_, schema) => {
    const validator = validatorOf(schema)
    const values = sampled(schema)
    // What travels is what JSON makes of it.
    const wrong = values.filter((value) => !validator.validate(JSON.parse(JSON.stringify(value))).valid)
    expect(wrong).toEqual([])
  })

  it('differ', () => {
    const distinct = (schema: Schema) => new Set(sampled(schema).map((value) => JSON.stringify(value))).size
    expect(distinct({ type: 'string' })).toBeGreaterThan(50)
    expect(distinct({ type: 'integer' })).toBeGreaterThan(50)
    expect(distinct({})).toBeGreaterThan(50)
    expect(distinct({ $ref: '#/components/schemas/Tree' })).toBeGreaterThan(50)
  })

  it('are on the verge now and then', () => {
    const values = sampled({ type: 'integer', minimum: 1, maximum: 1_000_000 })
    expect(values).toContain(1)
    expect(values).toContain(1_000_000)
  })

  it('come with each optional member and without', () => {
    const schema = { type: 'object', properties: { a: { type: 'null' }, b: { type: 'null' } } }
    const shapes = new Set(sampled(schema).map((value) => Object.keys(value as object).join()))
    expect([...shapes].sort()).toEqual(['', 'a', 'a,b', 'b'])
  })

  it('are mostly known ones, where such are known', () => {
    const schema = { type: 'object', properties: { timezone: { type: 'string' } }, required: ['timezone'] }
    const values = sampled(schema, { known: { timezone: fc.constant('Asia/Tokyo') } })
    const known = values.filter((value) => (value as { timezone: string }).timezone === 'Asia/Tokyo')
    expect(known.length).toBeGreaterThan(120)
    expect(known.length).toBeLessThan(200)
  })

  it('are examples, too', () => {
    expect(sampled({ type: 'string', examples: ['phx_example'] })).toContain('phx_example')
  })

  it('cannot be created from an invalid schema', () => {
    expect(() => valuesOf({ $ref: '#/components/schemas/Nothing' }, { schemas: SCHEMAS })).toThrow(
      'There is no schema #/components/schemas/Nothing',
    )
    expect(() => valuesOf({ type: 'date' }, { schemas: SCHEMAS })).toThrow('There is no type date')
  })
})
