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

/** Several lists of differences as one. */
export const joinDifferences = (lists: readonly Partial<Differences>[]): Differences => ({
  everywhere: lists.flatMap(({ everywhere = [] }) => everywhere),
  areas: Object.assign({}, ...lists.map(({ areas = {} }) => areas)),
  operations: Object.assign({}, ...lists.map(({ operations = {} }) => operations)),
  added: lists.flatMap(({ added = [] }) => added),
})
