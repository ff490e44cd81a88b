// What people and groups may be called, and what only looks like a name. Pure.

/** Code points that a distinct id, and an event's name, may have. */
export const MAX_IDENTIFIER = 200

/** Code points that a group's key, and a group type's name, may have. */
export const MAX_GROUP_KEY = 400

/** What clients send by mistake in place of a person; merging over one of these would make one person of many. In any case. */
const PLACEHOLDERS = new Set([
  'null',
  'undefined',
  'anonymous',
  'guest',
  'distinctid',
  'distinct_id',
  'id',
  'not_authenticated',
  'email',
  'true',
  'false',
])

/** The same, where only this spelling gives the mistake away. */
const EXACT_PLACEHOLDERS = new Set(['0', '[object Object]', 'NaN', 'None', 'none', ''])

/** Whether nobody can be meant by a distinct id, so that it must not be merged with another. */
export function isPlaceholder(distinctId: string): boolean {
  const trimmed = distinctId.trim()
  return PLACEHOLDERS.has(trimmed.toLowerCase()) || EXACT_PLACEHOLDERS.has(trimmed)
}

/** The text of an identifier that was sent as a string or a number; null for anything else, and for blank text. */
export function identifierIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value.trim() !== '' ? storable(value) : null
}

/** Text as the database gives it back: SQLite ends text at U+0000, and UTF-8 has no half surrogates. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')
