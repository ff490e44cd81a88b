// Edits that outlive a reload. They are in the storage of the tab until they are saved or discarded, or their page is left.

export interface StoredDraft<T, D> {
  /** The state on which the edit is based. */
  base: T
  draft: D
}

const START = 'draft '

/** @param fields of a draft. One that another version of the console wrote with other fields is ignored. */
export function readDraft<T, D extends object>(
  name: string,
  fields: readonly string[],
): StoredDraft<T, D> | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(START + name) ?? 'null') as StoredDraft<T, D> | null
    const found = Object.keys(stored?.draft ?? {})
    return found.length === fields.length && found.every((field) => fields.includes(field)) ? stored : null
  } catch {
    return null
  }
}

export function writeDraft<T, D>(name: string, stored: StoredDraft<T, D>): void {
  try {
    sessionStorage.setItem(START + name, JSON.stringify(stored))
  } catch {
    // Without storage, or with full storage, an edit lasts as long as its page.
    removeDraft(name)
  }
}

/** Removes the drafts of a user who signs out. */
export function removeDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(START)) sessionStorage.removeItem(key)
  } catch {
    // There is no storage.
  }
}

export function removeDraft(name: string): void {
  try {
    sessionStorage.removeItem(START + name)
  } catch {
    // There is no storage.
  }
}
