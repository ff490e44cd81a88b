// The parameters of operations: segments of the path, and the query.
import * as z from 'zod'
import type { Operation } from '../http/operation'
import type { Schemas } from './schemas'
import type { OperationWords, ParameterWords } from './words'

type Json = Record<string, unknown>

/** Segments that mean the same wherever they stand. */
const SEGMENTS: Record<string, Json> = {
  project_id: {
    description: 'Id of the project, or `@current` for the one that the caller works in.',
    schema: { type: 'string' },
    example: '@current',
  },
  environment_id: {
    description:
      'Id of the environment, which is that of its project, or `@current` for the one that the caller works in.',
    schema: { type: 'string' },
    example: '@current',
  },
  organization_id: {
    description: 'Id of the organization, or `@current` for the one that the caller works in.',
    schema: { type: 'string' },
    example: '@current',
  },
  uuid: {
    description: 'The uuid of the user, or `@me` for the caller.',
    schema: { type: 'string' },
    example: '@me',
  },
}

type Parametrized = Pick<Operation, 'id' | 'path' | 'params' | 'query'>

/**
 * The parameters of an operation, those of the path first.
 * @throws Error when words are about a parameter that the operation does not have
 */
export function parametersOf(
  { id, path, params, query }: Parametrized,
  schemas: Schemas,
  { parameters: words = {} }: OperationWords,
): Json[] {
  const described = propertiesOf(params, schemas)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(described[name] ?? SEGMENTS[name]),
    ...spoken(words[name]),
  }))
  const inQuery = Object.entries(propertiesOf(query, schemas)).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: isRequired(query, name),
    ...parameter,
    ...spoken(words[name]),
  }))
  const all = [...inPath, ...inQuery]
  for (const name of Object.keys(words)) {
    if (!all.some((parameter) => parameter.name === name)) throw new Error(`${id} has no parameter ${name}`)
  }
  return all
}

const spoken = (words: ParameterWords | undefined): Json => {
  if (words === undefined) return {}
  return typeof words === 'string'
    ? { description: words }
    : { description: words.is, example: words.example }
}

/** The members of an object schema, each with its description taken out of its schema. */
function propertiesOf(schema: z.ZodType | undefined, schemas: Schemas): Record<string, Json> {
  const { properties = {} } = schema
    ? (schemas.of(schema, 'input') as { properties?: Record<string, Json> })
    : {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, { description, ...rest }]) => [
      name,
      { ...(description ? { description } : {}), schema: rest },
    ]),
  )
}

const isRequired = (schema: z.ZodType | undefined, name: string): boolean => {
  const field = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>)[name] : undefined
  return field ? !field.safeParse(undefined).success : false
}
