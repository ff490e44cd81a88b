// Defines a list of persons as it is entered, and as the API accepts it. The functions are pure.

export type IdKind = 'distinct_id' | 'person_id'

export interface MemberList {
  kind: IdKind
  text: string
  /** The chosen file, which replaces the text. */
  file: { name: string; text: string } | null
}

export const NO_MEMBERS: MemberList = { kind: 'distinct_id', text: '', file: null }

const linesOf = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Returns the number of ids in a text. */
export const idCount = (text: string): number => new Set(linesOf(text)).size

/** Unknown ids that a message names. */
const MAX_NAMED = 3

/** Returns words for the ids of a list that no person has, or nothing if there are none. */
export function unknownWords(ids: readonly string[] = []): string {
  const more = ids.length - MAX_NAMED
  const named = [
    ...ids.slice(0, MAX_NAMED),
    ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : []),
  ].join(', ')
  return ids.length === 0
    ? ''
    : ` ${ids.length === 1 ? 'One id is' : `${ids.length.toLocaleString('en')} ids are`} unknown: ${named}.`
}

/** Returns the list as CSV, or null for an empty one. */
export function csvOfMembers({ kind, text, file }: MemberList): string | null {
  if (file) return file.text
  const lines = linesOf(text)
  return lines.length === 0
    ? null
    : [kind, ...lines.map((line) => `"${line.replaceAll('"', '""')}"`)].join('\n')
}
