// Whether the flags of both sides return the same for people of every kind.
import type { JsonObject, JsonValue } from '../json'
import { canonicalJson } from './fingerprint'
import type { Evaluate, Evaluated, Item, Source, Subject } from './model'
import { type Sampler, samplerOf } from './sample'

export const DEFAULT_CHECKED_PEOPLE = 1_000
const CONCURRENT = 8
/** Maximum groups of each type, including generated ones. */
const CHECKED_GROUPS = 100
const MADE_UP_GROUPS = 50
/** Maximum pages of groups that are read, because a type may have none among many. */
const MAX_GROUP_PAGES = 20
const MAX_PAYLOAD_TEXT = 200

export interface Difference {
  flag: string
  distinctId: string
  /** Shows the value, with its payload where only the payload differs. */
  there: string
  here: string
}

export interface CheckResult {
  people: number
  /** How many of the people are persons of the source. */
  known: number
  /** Whether these, and the groups of the source, were compared with the properties that each side has stored. */
  isStored: boolean
  differences: Difference[]
}

/**
 * Returns persons of the source, and generated ones up to `count`, with and without a group. Generated people and groups have properties
 * that the conditions of flags use, and the others those of the source.
 * @param isStored whether persons and groups are on both sides: their properties are then left out, so that each side takes its own
 */
export async function readSubjects(
  source: Source,
  items: readonly Item[],
  { count, isStored }: { count: number; isStored: boolean },
): Promise<{ subjects: Subject[]; known: number }> {
  const sampler = samplerOf(items)
  const groupTypes = items.filter(({ kind }) => kind === 'group_type').map(({ key }) => key)
  const sentOf = (properties: JsonValue | undefined) => (isStored ? {} : (properties ?? {})) as JsonObject
  const groups = await readGroups(source, groupTypes, sampler, sentOf)
  const subjects: Subject[] = []
  let cursor: string | null = null
  do {
    const page = await source.readPage('person', cursor)
    for (const { distinct_ids: ids, properties } of page?.rows ?? []) {
      const [distinctId] = (ids ?? []) as string[]
      if (distinctId !== undefined && subjects.length < count)
        subjects.push({
          distinctId,
          properties: sentOf(properties),
          groups: groupsOf(groups, subjects.length),
        })
    }
    cursor = page?.next ?? null
  } while (cursor !== null && subjects.length < count)
  const known = subjects.length
  for (let number = 0; subjects.length < count; number++)
    subjects.push({
      distinctId: `import-check-${number}`,
      properties: sampler.person(number),
      groups: groupsOf(groups, number),
    })
  return { subjects, known }
}

type Group = Subject['groups'][string]

/** Returns groups by type: those of the source, then generated ones. */
async function readGroups(
  source: Source,
  types: readonly string[],
  sampler: Sampler,
  sentOf: (properties: JsonValue | undefined) => JsonObject,
): Promise<Map<string, Group[]>> {
  const groups = new Map(types.map((type): [string, Group[]] => [type, []]))
  const isFull = () => [...groups.values()].every((own) => own.length >= CHECKED_GROUPS - MADE_UP_GROUPS)
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_GROUP_PAGES && !isFull(); pages++) {
    const page = await source.readPage('group', cursor)
    for (const { group_type: type, group_key: key, properties } of page?.rows ?? []) {
      const own = groups.get(String(type))
      if (own && own.length < CHECKED_GROUPS - MADE_UP_GROUPS)
        own.push({ key: String(key), properties: sentOf(properties) })
    }
    cursor = page?.next ?? null
    if (cursor === null) break
  }
  for (const [type, own] of groups)
    for (let number = 0; number < MADE_UP_GROUPS; number++)
      own.push({ key: `import-check-${number}`, properties: sampler.group(type, number) })
  return groups
}

/** Gives groups to people. Every second person has none. */
const groupsOf = (groups: ReadonlyMap<string, readonly Group[]>, number: number): Subject['groups'] =>
  number % 2 === 0
    ? {}
    : Object.fromEntries([...groups].map(([type, own]) => [type, own[((number - 1) / 2) % own.length]!]))

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
        const difference = differenceOf(first[flag] ?? OFF, second[flag] ?? OFF)
        if (difference) differences.push({ flag, distinctId: subject.distinctId, ...difference })
      }
      progress(++done)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, work))
  return differences
}

const OFF: Evaluated = { value: false }

function differenceOf(there: Evaluated, here: Evaluated): Pick<Difference, 'there' | 'here'> | null {
  if (there.value !== here.value) return { there: String(there.value), here: String(here.value) }
  if (there.payload === undefined || here.payload === undefined) return null
  const [a, b] = [canonicalJson(there.payload, 'kept'), canonicalJson(here.payload, 'kept')]
  const text = (payload: string) =>
    `${String(there.value)} with payload ${payload.slice(0, MAX_PAYLOAD_TEXT)}`
  return a === b ? null : { there: text(a), here: text(b) }
}
