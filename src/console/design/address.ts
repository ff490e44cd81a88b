// Defines the state of a page in its address.
import type { Values } from '../query/draft'

/** Returns the parameters of an address that a page knows: options and texts. Others are dropped. */
export function parseSearch(
  search: Record<string, unknown>,
  choices: Readonly<Record<string, readonly string[]>>,
  texts: readonly string[],
): Record<string, string> {
  const parsed: Record<string, string> = {}
  for (const [key, values] of Object.entries(choices)) {
    const value = String(search[key] ?? '')
    if (values.includes(value)) parsed[key] = value
  }
  for (const key of texts) {
    const value = search[key]
    const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '')
    if (text) parsed[key] = text
  }
  return parsed
}

/** Returns the values of variables in an address. In older links they are JSON. The router keeps what a parser leaves out. */
export function variablesIn(value: unknown): { variables?: Values } {
  let values = value
  try {
    if (typeof value === 'string') values = JSON.parse(value)
  } catch {
    // It has no values.
  }
  const isValues = typeof values === 'object' && values !== null && !Array.isArray(values)
  return { variables: isValues ? values : undefined } as { variables?: Values }
}
