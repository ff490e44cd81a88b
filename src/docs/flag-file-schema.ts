// Makes the JSON Schema of a file of flags from the schemas of the API. `npm run openapi` writes it to public/halyard.schema.json.
import type { UnknownObject } from '../json'
import { pick } from '../flags/state'
import { fieldsWith } from '../flag-fields'

const REFERENCE = '#/components/schemas/'
const GROUP_TYPE = 'Name of a group type of the project; null for people.'
const groupType = { type: ['string', 'null'], description: GROUP_TYPE }

/** @param components the schemas of the OpenAPI document, by name */
export function flagFileSchema(components: Record<string, UnknownObject>): UnknownObject {
  const definition = (name: string): UnknownObject => {
    const { examples: _examples, ...schema } = components[name]!
    return schema
  }
  const filters = definition('FlagFilters')
  const set = definition('ConditionSet')
  const property = definition('PropertyFilter')
  const propertiesOf = (schema: UnknownObject) => schema.properties as Record<string, UnknownObject>
  const describe = (schema: UnknownObject | undefined, description: string) => ({ ...schema, description })
  const own: Record<string, UnknownObject> = {
    FlagFilters: {
      ...filters,
      properties: {
        ...propertiesOf(filters),
        payloads: {
          type: 'object',
          description: 'Data that comes with the value: any JSON, by key of the variant, or under `true`.',
        },
        aggregation_group_type_index: groupType,
      },
    },
    ConditionSet: {
      ...set,
      properties: { ...propertiesOf(set), aggregation_group_type_index: groupType },
    },
    PropertyFilter: {
      ...property,
      properties: {
        ...propertiesOf(property),
        key: describe(
          propertiesOf(property).key,
          'Name of the property. For a flag its key; for a cohort `id`.',
        ),
        value: describe(
          propertiesOf(property).value,
          `${String(propertiesOf(property).value?.description)} Here, a cohort has its name.`,
        ),
        group_type_index: groupType,
      },
    },
    Flag: {
      type: 'object',
      description: 'A flag. A field that is left out has its default.',
      properties: pick(propertiesOf(definition('CreateFlag')), fieldsWith('file')),
      required: ['filters'],
      additionalProperties: false,
    },
  }
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Flags of a Halyard project',
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      managed_by: {
        type: 'string',
        pattern: '^[a-z0-9._-]{1,100}$',
        default: 'halyard.json',
        description:
          'Flags of this file have the tag `managed-by:NAME`. Each file of a project has another name.',
      },
      flags: {
        type: 'object',
        description: 'Flags by key.',
        propertyNames: { pattern: '^[a-zA-Z0-9_-]{1,400}$' },
        additionalProperties: { $ref: `${REFERENCE}Flag` },
      },
    },
    required: ['flags'],
    additionalProperties: false,
    definitions: own,
  }
  return JSON.parse(JSON.stringify(schema).replaceAll(`"${REFERENCE}`, '"#/definitions/')) as UnknownObject
}
