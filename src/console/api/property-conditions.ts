// Defines conditions on properties in the filters of lists.

/** A condition on a property. */
export interface PropertyCondition {
  key: string
  operator: string
  value: string | readonly string[]
}

/** Returns a text as HogQL. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
