// JSON values in the notation of upstream's error texts, which clients match on.

/** A JSON value in Python's notation: `['a']`, `None`, `True`, `{'k': 1}`. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quote(value)
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([key, each]) => `${quote(key)}: ${pythonRepr(each)}`)
    return `{${entries.join(', ')}}`
  }
  return String(value)
}

/** A JSON value in a sentence: text as it is, other values in Python's notation. */
export const pythonText = (value: unknown): string => (typeof value === 'string' ? value : pythonRepr(value))

function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
  return `${mark}${mark === "'" ? escaped.replaceAll("'", "\\'") : escaped}${mark}`
}
