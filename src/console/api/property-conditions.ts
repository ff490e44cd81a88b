// Conditions on properties, as a list's filters have them.

/** One condition on a property. */
export interface PropertyCondition {
  property: string
  operator: string
  value: string
}

/** Text in HogQL. */
export const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** As the API takes it. @param more of what the property is */
export const conditionFilter = ({ property, operator, value }: PropertyCondition, more: object) => ({
  key: property,
  operator,
  value: value || operator,
  ...more,
})
