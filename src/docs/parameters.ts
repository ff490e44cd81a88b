// Describes path and query parameters of operations.
import type { UnknownObject } from '../json'
import * as z from 'zod'
import type { Operation } from '../http/operation'
import type { Schemas } from './schemas'
import type { OperationDocs, ParameterDocs } from '../http/docs/operation-docs'

/** Path parameters that operations share. */
const SEGMENTS: Record<string, UnknownObject> = {
  project_id: {
    description: 'Id of the project, or `@current` for the current one of the caller.',
    schema: { type: 'string' },
    example: '@current',
  },
  environment_id: {
    description:
      'Id of the environment, which is the id of its project, or `@current` for the current one of the caller.',
    schema: { type: 'string' },
    example: '@current',
  },
  organization_id: {
    description: 'Id of the organization, or `@current` for the current one of the caller.',
    schema: { type: 'string' },
    example: '@current',
  },
  uuid: {
    description: 'Uuid of the user, or `@me` for the caller.',
    schema: { type: 'string' },
    example: '@me',
  },
}

type Parametrized = Pick<Operation, 'id' | 'path' | 'params' | 'query'>

/**
 * The parameters of an operation, those of the path first.
 * @throws Error when `docs` has a parameter that the operation does not have
 */
export function parametersOf(
  { id, path, params, query }: Parametrized,
  schemas: Schemas,
  docs: OperationDocs['parameters'] = {},
): UnknownObject[] {
  const described = propertiesOf(params, schemas)
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(described[name] ?? SEGMENTS[name]),
    ...describedBy(docs[name]),
  }))
  const inQuery = Object.entries(propertiesOf(query, schemas)).map(([name, parameter]) => ({
    name,
    in: 'query',
    required: isRequired(query, name),
    ...parameter,
    ...describedBy(docs[name]),
  }))
  const all = [...inPath, ...inQuery]
  for (const name of Object.keys(docs)) {
    if (!all.some((parameter) => parameter.name === name))
      throw new Error(`${id} has no parameter ${name} to document`)
  }
  return all
}

const describedBy = (docs: ParameterDocs | undefined): UnknownObject =>
  typeof docs === 'string' ? { description: docs } : { ...docs }

/** Returns the properties of an object schema, with their descriptions beside their schemas. */
function propertiesOf(schema: z.ZodType | undefined, schemas: Schemas): Record<string, UnknownObject> {
  const { properties = {} } = schema
    ? (schemas.of(schema, 'input') as { properties?: Record<string, UnknownObject> })
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
