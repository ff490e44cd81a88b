// Defines conditions on properties in the filters of lists.

/** A condition on a property. */
export interface PropertyCondition {
  property: string
  operator: string
  value: string
}

/** Returns a text as HogQL. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/**
 * Returns the condition as the API accepts it.
 * @param more further fields, which say whose property it is
 */
export const conditionFilter = ({ property, operator, value }: PropertyCondition, more: object) => ({
  key: property,
  operator,
  value: value || operator,
  ...more,
})
