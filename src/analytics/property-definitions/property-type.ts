// What the value of a property is, and whose it is.

export const PROPERTY_TYPES = ['String', 'Numeric', 'Boolean', 'DateTime'] as const
export type PropertyType = (typeof PROPERTY_TYPES)[number]

/** Whose property it is: groups by the number of their type. */
export type PropertyOwner = 'event' | 'person' | `group_${number}`

/** A property, by what names it. */
export interface PropertyName {
  owner: PropertyOwner
  name: string
}

export interface PropertyDefinition extends PropertyName {
  type: PropertyType
}

/** The type of a property; undefined for one that nothing is known of. */
export type PropertyTypes = (owner: PropertyOwner, name: string) => PropertyType | undefined
