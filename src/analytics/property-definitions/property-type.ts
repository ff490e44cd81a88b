export const PROPERTY_TYPES = ['String', 'Numeric', 'Boolean', 'DateTime'] as const
export type PropertyType = (typeof PROPERTY_TYPES)[number]

/** The owner of a property. A group's property belongs to the index of the group's type. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

/** The owner of a stored definition. The definition of an event's name has an owner of its own. */
export type DefinitionOwner = PropertyOwner | 'event_name'

export interface PropertyName {
  owner: PropertyOwner
  name: string
}

export interface PropertyDefinition extends PropertyName {
  type: PropertyType
}

/** A definition that capture has found in an event. */
export interface LearnedDefinition {
  owner: DefinitionOwner
  name: string
  type: PropertyType
}

/** Returns the type of a property, or undefined for an unknown one. */
export type PropertyTypes = (owner: PropertyOwner, name: string) => PropertyType | undefined
