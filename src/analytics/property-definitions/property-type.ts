export const PROPERTY_TYPES = ['String', 'Numeric', 'Boolean', 'DateTime'] as const
export type PropertyType = (typeof PROPERTY_TYPES)[number]

/** Groups by index of their type. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

/** Owner of a stored definition: of a property, or the name of an event. */
export type DefinitionOwner = PropertyOwner | 'event_name'

export interface PropertyName {
  owner: PropertyOwner
  name: string
}

export interface PropertyDefinition extends PropertyName {
  type: PropertyType
}

/** A definition that capture has found. */
export interface LearnedDefinition {
  owner: DefinitionOwner
  name: string
  type: PropertyType
}

/** Undefined for an unknown property. */
export type PropertyTypes = (owner: PropertyOwner, name: string) => PropertyType | undefined
