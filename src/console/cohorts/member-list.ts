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

/** Returns the number of ids in the list, or null for a file, which the service reads. */
export const idCount = ({ text, file }: MemberList): number | null =>
  file ? null : new Set(linesOf(text)).size

/**
 * Returns words for the ids of the list that added no person, or nothing if there are none, or a file has them.
 * @param isNew whether the cohort was empty before
 */
export function ignoredWords(list: MemberList, added: number, isNew = false): string {
  const ignored = (idCount(list) ?? added) - added
  if (ignored <= 0) return ''
  return ` ${ignored === 1 ? 'One id is' : `${ignored.toLocaleString('en')} ids are`} unknown, or of a person who is ${isNew ? 'in the list twice' : 'in it already'}.`
}

/** Returns the list as CSV, or null for an empty one. */
export function csvOfMembers({ kind, text, file }: MemberList): string | null {
  if (file) return file.text
  const lines = linesOf(text)
  return lines.length === 0
    ? null
    : [kind, ...lines.map((line) => `"${line.replaceAll('"', '""')}"`)].join('\n')
}
