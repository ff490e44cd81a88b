// Words in the body of a flag that its callers know from elsewhere, such as `enabled` of `/flags`.
import { lettersOf } from '../http/body/misspelt-keys'
import type { UnknownObject } from '../json'
import { placeInFilters } from './filters/structure'

/** Fields by the letters of other words for them. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ...['enabled', 'enable', 'isenabled', 'on', 'ison', 'state'].map((word) => [word, 'active'] as const),
  ...['description', 'title'].map((word) => [word, 'name'] as const),
  ...['evaluationtag', 'evaluationenvironment', 'environment'].map(
    (word) => [word, 'evaluation_contexts'] as const,
  ),
  ['releasecondition', 'filters.groups'],
  ['label', 'tags'],
  ['encrypted', 'has_encrypted_payloads'],
  ['remoteconfig', 'is_remote_configuration'],
  ['persistacrossauth', 'ensure_experience_continuity'],
])

/** Words, by their letters, that mean the opposite of `active`. */
const OPPOSITES: ReadonlySet<string> = new Set(['disabled', 'disable', 'isdisabled', 'off', 'isoff'])

/**
 * Returns the field that an unknown key of a body is meant to be, or where in `filters` its value belongs. Returns null for other keys,
 * for null and an empty list, and for a text that the body may have: clients of upstream send `description` beside `name`.
 */
export function placeInFlag(key: string, body: UnknownObject): string | null {
  const value = body[key] ?? null
  const letters = lettersOf(key)
  if (value !== null && OPPOSITES.has(letters)) return `active: ${value === false}`
  const field = FIELDS.get(letters)
  if (field === undefined) return placeInFilters(key, body)
  const isNothing = value === null || (Array.isArray(value) && value.length === 0)
  return isNothing || (field === 'name' && (value === '' || typeof body.name === 'string')) ? null : field
}
