export const PROPERTY_TYPES = ['String', 'Numeric', 'Boolean', 'DateTime'] as const
export type PropertyType = (typeof PROPERTY_TYPES)[number]

/** Groups by index of their type. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

export interface PropertyName {
  owner: PropertyOwner
  name: string
}

export interface PropertyDefinition extends PropertyName {
  type: PropertyType
}

/** Undefined for an unknown property. */
export type PropertyTypes = (owner: PropertyOwner, name: string) => PropertyType | undefined
