// How this service differs from the one whose API it speaks: what clients may notice, and why it is so.

export interface Difference {
  /** What happens here, and what happens upstream. */
  what: string
  /** Why it is so. */
  why: string
}

export interface Differences {
  /** What holds for every operation. */
  everywhere: readonly Difference[]
  /** By the area's tag: what holds for all of its operations. */
  areas: Readonly<Record<string, readonly Difference[]>>
  /** By operation id; forms inside environments go with those inside projects. */
  operations: Readonly<Record<string, readonly Difference[]>>
  /** Ids of operations that upstream does not have. */
  added: readonly string[]
}

/** Several lists of differences as one: what two say of the same area or operation stands one behind the other. */
export const joinDifferences = (lists: readonly Partial<Differences>[]): Differences => ({
  everywhere: lists.flatMap(({ everywhere = [] }) => everywhere),
  areas: joined(lists.map(({ areas = {} }) => areas)),
  operations: joined(lists.map(({ operations = {} }) => operations)),
  added: lists.flatMap(({ added = [] }) => added),
})

type ByName = Readonly<Record<string, readonly Difference[]>>

const joined = (parts: readonly ByName[]): ByName => {
  const names = new Set(parts.flatMap((part) => Object.keys(part)))
  return Object.fromEntries([...names].map((name) => [name, parts.flatMap((part) => part[name] ?? [])]))
}
