// Whether the flags of both sides say the same of a thousand people.
import type { JsonObject, JsonValue } from '../json'
import type { Evaluate, Source, Subject } from './model'

export const CHECKED_PEOPLE = 1_000
const CONCURRENT = 8

export interface Difference {
  flag: string
  distinctId: string
  there: JsonValue
  here: JsonValue
}

export interface CheckResult {
  people: number
  /** How many of them are persons of the source. */
  known: number
  differences: Difference[]
}

/**
 * Persons of the source, and made-up ones up to a thousand, with and without a group.
 * @param groupTypes names of the source's group types.
 */
export async function readSubjects(
  source: Source,
  groupTypes: readonly string[],
): Promise<{ subjects: Subject[]; known: number }> {
  const subjects: Subject[] = []
  let cursor: string | null = null
  do {
    const page = await source.readPage('person', cursor)
    for (const { distinct_ids: ids, properties } of page?.rows ?? []) {
      const [distinctId] = (ids ?? []) as string[]
      if (distinctId !== undefined && subjects.length < CHECKED_PEOPLE)
        subjects.push({
          distinctId,
          properties: (properties ?? {}) as JsonObject,
          groups: groupsOf(groupTypes, subjects.length),
        })
    }
    cursor = page?.next ?? null
  } while (cursor !== null && subjects.length < CHECKED_PEOPLE)
  const known = subjects.length
  for (let number = 0; subjects.length < CHECKED_PEOPLE; number++)
    subjects.push({
      distinctId: `import-check-${number}`,
      properties: source.sample?.(number) ?? {},
      groups: groupsOf(groupTypes, number),
    })
  return { subjects, known }
}

const groupsOf = (types: readonly string[], number: number) =>
  number % 2 === 0 ? {} : Object.fromEntries(types.map((type) => [type, `import-check-${number % 50}`]))

/** @param flags keys of the flags that both sides have. */
export async function compareEvaluations(
  { there, here }: { there: Evaluate; here: Evaluate },
  subjects: readonly Subject[],
  flags: ReadonlySet<string>,
  progress: (done: number) => void,
): Promise<Difference[]> {
  const differences: Difference[] = []
  let next = 0
  let done = 0
  const work = async () => {
    while (next < subjects.length) {
      const subject = subjects[next++]!
      const [first, second] = await Promise.all([there(subject), here(subject)])
      for (const flag of flags) {
        // An inactive flag is left out by some versions, and false for others.
        const [a, b] = [first[flag] ?? false, second[flag] ?? false]
        if (a !== b) differences.push({ flag, distinctId: subject.distinctId, there: a, here: b })
      }
      progress(++done)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  return differences
}
