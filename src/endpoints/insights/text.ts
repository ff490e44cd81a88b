// HogQL that insights are written in. What a user said goes into it as a constant, and is compiled by allow-list like any other text.

/** A string constant. */
export const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '')}'`

/** Conditions that all hold; `1` without any. */
export const all = (conditions: readonly (string | null)[]): string =>
  conditions.filter((condition) => condition !== null).join(' AND ') || '1'

/** A list of expressions, one after the other, without those that are not there. */
export const list = (...parts: readonly (string | readonly string[] | null)[]): string =>
  parts
    .flat()
    .filter((part) => part !== null)
    .join(', ')
