// Values of a JSON Schema, as fast-check arbitraries. What a schema leaves open is filled with what callers really send, where that is known.
import * as fc from 'fast-check'

export interface Schema {
  [keyword: string]: unknown
}

/** What schemas alone do not say. */
export interface Sources {
  /** Schemas by name, for `#/components/schemas/<name>`. */
  schemas: Readonly<Record<string, Schema>>
  /** Good values of members, by their name: a text made of its schema alone is seldom a time zone, or a query. */
  known?: Readonly<Record<string, fc.Arbitrary<unknown>>>
}

const REFERENCE = '#/components/schemas/'
/** Objects and lists within each other, before only what is required is made. */
const DEPTH = 5
const MAX_ITEMS = 3
/** Members that need not be there: few callers send many, and the more there are, the likelier is one that does not go with another. */
const OPTIONAL_COUNTS = [0, 1, 1, 2, 2, 3, 5, 99]

/**
 * Values that a schema takes. Patterns hold where a format does not say more; a `known` value need not be one of the schema's.
 * @throws Error for a reference to no schema, and for a type that JSON does not have
 */
export function valuesOf(schema: Schema | boolean, sources: Sources, depth = DEPTH): fc.Arbitrary<unknown> {
  if (typeof schema === 'boolean') return anything
  const made = fromKeywords(schema, sources, depth)
  const examples = schema.examples as unknown[] | undefined
  return examples?.length && depth > 0
    ? fc.oneof({ weight: 5, arbitrary: made }, { weight: 1, arbitrary: fc.constantFrom(...examples) })
    : made
}

function fromKeywords(schema: Schema, sources: Sources, depth: number): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return valuesOf(referredTo(schema.$ref, sources), sources, depth - 1)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  // A field with a default has all its keywords in the only part of an `allOf`.
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Schema[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, sources, depth)))
  const types = [schema.type ?? []].flat() as string[]
  if (types.length === 0) return anything
  return fc.oneof(...types.map((type) => ofType(type, schema, sources, depth)))
}

function referredTo(reference: string, { schemas }: Pick<Sources, 'schemas'>): Schema {
  const schema = reference.startsWith(REFERENCE) ? schemas[reference.slice(REFERENCE.length)] : undefined
  if (!schema) throw new Error(`There is no schema ${reference}`)
  return schema
}

function ofType(type: string, schema: Schema, sources: Sources, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integers(schema)
    case 'number':
      return fc.oneof(integers(schema), fractions(schema))
    case 'string':
      return texts(schema)
    case 'array':
      return lists(schema, sources, depth)
    case 'object':
      return objects(schema, sources, depth)
    default:
      throw new Error(`There is no type ${type}`)
  }
}

interface Bounds {
  minimum?: number
  maximum?: number
}

/** Mostly small, now and then on the verge. */
function integers({ minimum, maximum }: Bounds): fc.Arbitrary<number> {
  const min = Math.ceil(minimum ?? Math.min(-10, maximum ?? 0))
  const max = Math.floor(maximum ?? Math.max(min, 0) + 2_000)
  const verges = [minimum, maximum].filter((bound) => bound !== undefined)
  const between = fc.integer({ min: Math.max(min, Number.MIN_SAFE_INTEGER), max })
  return verges.length === 0
    ? between
    : fc.oneof({ weight: 4, arbitrary: between }, { weight: 1, arbitrary: fc.constantFrom(...verges) })
}

const fractions = ({ minimum = -1_000, maximum = 1_000 }: Bounds) =>
  fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)

interface TextBounds {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
}

const WORDS = ['a', 'sample', 'Über uns', 'two words', 'a-b_c', '東京', '🙂', '0', 'true', "it's", '%', 'a,b']

function texts({ minLength = 0, maxLength, pattern, format }: TextBounds): fc.Arbitrary<string> {
  const formatted = format === undefined ? undefined : FORMATS[format]
  if (formatted) return formatted
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern))
  const longest = Math.max(minLength, Math.min(maxLength ?? 40, 40))
  // A schema counts code points, fast-check what readers see as characters.
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= (maxLength ?? Infinity)
  const made = fc.string({ minLength, maxLength: longest, unit: 'grapheme' }).filter(fits)
  const words = WORDS.filter(fits)
  return words.length === 0 ? made : fc.oneof(fc.constantFrom(...words), made)
}

const FORMATS: Record<string, fc.Arbitrary<string>> = {
  'date-time': fc
    .date({ min: new Date('2000-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
  uuid: fc.uuid(),
  email: fc.stringMatching(/^[a-z][a-z0-9]{0,11}$/).map((name) => `${name}@example.com`),
  uri: fc.webUrl(),
}

interface ListKeywords {
  items?: Schema | boolean
  prefixItems?: Schema[]
  minItems?: number
  maxItems?: number
}

function lists(schema: Schema, sources: Sources, depth: number): fc.Arbitrary<unknown[]> {
  const { items = true, prefixItems, minItems = 0, maxItems = Infinity } = schema as ListKeywords
  if (prefixItems) return fc.tuple(...prefixItems.map((item) => valuesOf(item, sources, depth - 1)))
  const max = depth > 0 ? Math.max(minItems, Math.min(maxItems, MAX_ITEMS)) : minItems
  if (max === 0) return fc.constant([])
  return fc.array(valuesOf(items, sources, depth - 1), { minLength: minItems, maxLength: max })
}

interface ObjectKeywords {
  properties?: Record<string, Schema | boolean>
  required?: string[]
  additionalProperties?: Schema | boolean
}

function objects(schema: Schema, sources: Sources, depth: number): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties = true } = schema as ObjectKeywords
  const named = Object.entries(properties).filter(([name]) => depth > 0 || required.includes(name))
  const members = named.map(
    ([name, member]) => [name, memberValues(name, member, sources, depth - 1)] as const,
  )
  const isRequired = (name: string) => required.includes(name)
  const whole = fc.record(Object.fromEntries(members), {
    requiredKeys: named.map(([name]) => name).filter(isRequired),
    noNullPrototype: true,
  })
  const declared = fc
    .tuple(whole, fc.constantFrom(...OPTIONAL_COUNTS), fc.nat(named.length))
    .map(([made, max, first]) => {
      const entries = Object.entries(made)
      const optional = entries.filter(([name]) => !isRequired(name))
      const kept = new Set([...optional, ...optional].slice(first, first + max))
      return Object.fromEntries(entries.filter((entry) => isRequired(entry[0]) || kept.has(entry)))
    })
  // An object whose members are all declared seldom gets others; a map has nothing but others.
  if (additionalProperties === false || depth <= 0 || (additionalProperties === true && named.length > 0)) {
    return declared
  }
  const others = fc.dictionary(
    fc.string({ maxLength: 10 }).filter((name) => !(name in properties)),
    valuesOf(additionalProperties, sources, depth - 1),
    { maxKeys: MAX_ITEMS, noNullPrototype: true },
  )
  return fc.tuple(declared, others).map(([own, other]) => ({ ...other, ...own }))
}

/** What is known of a member's values comes first; what its schema makes keeps up the search. */
function memberValues(
  name: string,
  schema: Schema | boolean,
  sources: Sources,
  depth: number,
): fc.Arbitrary<unknown> {
  const known = sources.known && Object.hasOwn(sources.known, name) ? sources.known[name] : undefined
  const made = valuesOf(schema, sources, depth)
  return known ? fc.oneof({ weight: 4, arbitrary: known }, { weight: 1, arbitrary: made }) : made
}

/** Any JSON, small. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...WORDS, 0, 1, -1, 0.5, true, false, null),
  fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' }),
)
