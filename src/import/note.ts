// Writes the origin of a flag at the end of its description, because there is no other field for its history.
import type { JsonObject, JsonValue } from '../json'
import { isObject } from '../json'
import { authorOf } from './posthog/names'

const FIRST_WORDS = 'Imported from '
const START = `\n\n${FIRST_WORDS}`
const MAX_NOTE = 2_000
/** Maximum characters of a description in the API. */
const MAX_NAME = 10_000
/** Maximum changes that a note lists. */
const MAX_CHANGES = 5

export function splitNote(text: string): { name: string; note: string | null } {
  if (text.startsWith(FIRST_WORDS)) return { name: '', note: text }
  const at = text.lastIndexOf(START)
  return at < 0 ? { name: text, note: null } : { name: text.slice(0, at), note: text.slice(at + 2) }
}

/** A description that has no room for the note stays without it. */
export function withNote(name: string, note: string | undefined): string {
  if (note === undefined || name.length + note.length + 2 > MAX_NAME) return name
  return name === '' ? note : `${name}\n\n${note}`
}

/** @param entries of the activity log about this flag, newest first. */
export function noteOf(flag: JsonObject, origin: string, entries: readonly JsonObject[]): string {
  const author = authorOf(flag.created_by)
  const created = typeof flag.created_at === 'string' ? ` Created ${flag.created_at.slice(0, 10)}` : ''
  const first = `${FIRST_WORDS}${origin}, flag ${String(flag.id)}.${created && `${created}${author ? ` by ${author}` : ''}.`} Version ${String(flag.version ?? 1)}.`
  return [first, ...entries.slice(0, MAX_CHANGES).map(lineOf)].join('\n').slice(0, MAX_NOTE)
}

function lineOf({ created_at: at, user, activity, detail }: JsonObject): string {
  const changes = isObject(detail) ? (detail.changes as JsonValue) : null
  const fields = Array.isArray(changes)
    ? [...new Set(changes.map((change: JsonObject) => String(change.field ?? '')).filter(Boolean))]
    : []
  return `${String(at).slice(0, 10)} ${authorOf(user) ?? 'system'} ${String(activity)}${fields.length > 0 ? ` ${fields.join(', ')}` : ''}`
}
