// Writes the types of the console's API client from the OpenAPI document, in the form that openapi-fetch takes. The document uses a small part
// of JSON Schema: a keyword that has no type here ends the command.

interface Schema {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema | boolean
  prefixItems?: Schema[]
  allOf?: Schema[]
  anyOf?: Schema[]
  default?: unknown
}

interface Response {
  $ref?: string
  content?: Record<string, { schema: Schema }>
}

interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> }
  responses: Record<string, Response>
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

/** Keywords that narrow values in ways that no type expresses, and those that only describe. */
const WITHOUT_TYPE = new Set(
  'default description examples format maxItems maxLength maximum minItems minLength minimum not pattern propertyNames'.split(
    ' ',
  ),
)
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']
const PLACES = ['query', 'header', 'path', 'cookie']

/** Returns the TypeScript module of a document. */
export function consoleTypes({ paths, components }: OpenApi): string {
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => `    ${JSON.stringify(name)}: ${typeOf(schema)}\n`,
  )
  const items = Object.entries(paths).map(
    ([path, item]) => `  ${JSON.stringify(path)}: ${pathType(item, components)}\n`,
  )
  return `export interface paths {\n${items.join('')}}\nexport interface components {\n  schemas: {\n${schemas.join('')}  }\n}\n`
}

function pathType(item: Record<string, Operation>, components: OpenApi['components']): string {
  const methods = METHODS.map((method) => {
    const operation = item[method]
    return operation ? `    ${method}: ${operationType(operation, components)}\n` : `    ${method}?: never\n`
  })
  return `{\n    parameters: { query?: never; header?: never; path?: never; cookie?: never }\n${methods.join('')}  }`
}

function operationType(
  { parameters, requestBody, responses }: Operation,
  components: OpenApi['components'],
): string {
  const places = PLACES.map((place) => {
    const members = parameters.filter((each) => each.in === place)
    const text = members
      .map(({ name, required, schema }) => member(name, required, typeOf(schema)))
      .join('; ')
    return member(
      place,
      members.some(({ required }) => required),
      members.length > 0 ? `{ ${text} }` : 'never',
    )
  })
  const body = requestBody
    ? member('requestBody', requestBody.required, `{ content: ${contentType(requestBody.content)} }`)
    : 'requestBody?: never'
  const answers = Object.entries(responses).map(([status, response]) => {
    const { content } = response.$ref ? components.responses[lastName(response.$ref)]! : response
    return `${status}: { headers: { [name: string]: unknown }; ${content ? `content: ${contentType(content)}` : 'content?: never'} }`
  })
  return `{ parameters: { ${places.join('; ')} }; ${body}; responses: { ${answers.join('; ')} } }`
}

const contentType = (content: Record<string, { schema: Schema }>): string =>
  `{ ${Object.entries(content)
    .map(([type, { schema }]) => member(type, true, typeOf(schema)))
    .join('; ')} }`

const member = (name: string, required: boolean, type: string): string =>
  `${/^\w+$/.test(name) ? name : JSON.stringify(name)}${required ? '' : '?'}: ${type}`

const lastName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

const union = (types: string[]): string => [...new Set(types)].map((type) => `(${type})`).join(' | ')

/** Returns the type of a schema, which is the intersection of the types of its keywords. */
function typeOf(schema: Schema | boolean): string {
  if (typeof schema === 'boolean') return schema ? 'unknown' : 'never'
  const unknown = Object.keys(schema).filter((key) => !WITHOUT_TYPE.has(key) && !(key in KEYWORDS))
  if (unknown.length > 0) throw new Error(`the OpenAPI document has the keyword ${unknown.join(', ')}`)
  const parts = Object.values(KEYWORDS)
    .map((part) => part(schema))
    .filter((type) => type !== null && type !== 'unknown')
  return parts.length > 0 ? parts.map((type) => `(${type})`).join(' & ') : 'unknown'
}

const ofType = (schema: Schema): string | null => {
  if (schema.type === undefined || schema.const !== undefined || schema.enum) return null
  const types = [schema.type].flat()
  return union(types.map((type) => SIMPLE[type]?.(schema) ?? type))
}

const SIMPLE: Readonly<Record<string, (schema: Schema) => string>> = {
  integer: () => 'number',
  array: ({ prefixItems, items = true }) =>
    prefixItems ? `[${prefixItems.map(typeOf).join(', ')}]` : `(${typeOf(items)})[]`,
  object: objectType,
}

function objectType({ properties = {}, required = [], additionalProperties, $ref }: Schema): string {
  const members = Object.entries(properties).map(([name, schema]) =>
    // A response has each value that has a default, and a body may leave it out: the console writes whole bodies.
    member(name, required.includes(name) || schema.default !== undefined, typeOf(schema)),
  )
  // An object with any keys adds nothing to a reference.
  if (members.length === 0 && $ref) return 'unknown'
  if (typeof additionalProperties === 'object') members.push(`[key: string]: ${typeOf(additionalProperties)}`)
  else if (additionalProperties === true) members.push('[key: string]: unknown')
  else if (members.length === 0) return 'Record<string, never>'
  return `{ ${members.join('; ')} }`
}

const literals = (values: unknown[]): string => union(values.map((value) => JSON.stringify(value)))

/** Writes a keyword of a schema, or returns null where the schema does not have it. Keywords of objects and arrays are part of `type`. */
const KEYWORDS: Readonly<Record<string, (schema: Schema) => string | null>> = {
  type: ofType,
  $ref: ({ $ref }) =>
    $ref === undefined ? null : `components['schemas'][${JSON.stringify(lastName($ref))}]`,
  const: (schema) => (schema.const === undefined ? null : literals([schema.const])),
  enum: (schema) => (schema.enum ? literals(schema.enum) : null),
  anyOf: ({ anyOf }) => (anyOf ? union(anyOf.map(typeOf)) : null),
  allOf: ({ allOf }) => (allOf ? allOf.map((each) => `(${typeOf(each)})`).join(' & ') : null),
  properties: () => null,
  required: () => null,
  additionalProperties: () => null,
  items: () => null,
  prefixItems: () => null,
}
