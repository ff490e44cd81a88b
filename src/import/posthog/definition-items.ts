// Converts group types, variables, and definitions of events and properties to items.
import type { JsonObject } from '../../json'
import type { TargetItem } from '../model'
import { textsIn } from './flag-items'

const plain = { changes: [], problem: null }

/** @param group one of the type, because the first group of a type creates it */
export const groupTypeItem = (type: JsonObject, group: JsonObject | null): TargetItem => ({
  ...plain,
  kind: 'group_type',
  key: String(type.group_type),
  id: Number(type.group_type_index),
  value: {},
  initial: group ? { group: { key: group.group_key, properties: group.group_properties ?? {} } } : {},
})

export const variableItem = (variable: JsonObject): TargetItem => ({
  ...plain,
  kind: 'variable',
  key: String(variable.code_name),
  id: String(variable.id),
  value: {
    name: String(variable.name),
    type: variable.type ?? 'String',
    default_value: variable.default_value ?? null,
    values: variable.values ?? null,
  },
})

const marksOf = (definition: JsonObject) => ({
  description: definition.description ?? '',
  tags: textsIn(definition.tags),
  verified: definition.verified === true,
  hidden: definition.hidden === true,
})

export const eventDefinitionItem = (definition: JsonObject): TargetItem => ({
  ...plain,
  kind: 'event_definition',
  key: String(definition.name),
  id: String(definition.id),
  value: marksOf(definition),
})

/** Types that properties have here. */
const PROPERTY_TYPES = new Set(['String', 'Numeric', 'Boolean', 'DateTime'])

/** @param owner `event`, `person`, or a group type as `group company`. */
export function propertyDefinitionItem(definition: JsonObject, owner: string): TargetItem {
  const { property_type: type } = definition
  const isKnown = typeof type === 'string' && PROPERTY_TYPES.has(type)
  return {
    ...plain,
    kind: 'property_definition',
    key: `${owner} ${String(definition.name)}`,
    id: String(definition.id),
    value: { ...marksOf(definition), property_type: isKnown ? type : null },
    changes: isKnown || (type ?? null) === null ? [] : [`has no type here: ${String(type)} does not exist`],
  }
}
