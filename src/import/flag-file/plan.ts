// Plans the changes that make a project match a file. Pure.
import { apiErrorIn } from '../../errors'
import { type FlagFilters, textsOf } from '../../flags/filters/flag-filters'
import { validateFilters } from '../../flags/filters/validate'
import type { JsonObject } from '../../json'
import { Ids } from '../write/write-context'
import type { Names } from '../posthog/names'
import { markUnknown, referencesByName } from '../posthog/names'
import { inOrder, mapReferences, referencesOf, UnknownReference } from '../references'
import { printable } from '../printable'
import { type Canonical, canonicalFlag, DEFAULTS } from './canonical'
import { type Difference, differenceLine, differencesOf, valueLine } from './differences'
import { type FlagFields, type FlagFile, FlagFileError, TAG_START, tagOf } from './file'

export interface ProjectFlags {
  names: Names
  /** Flags that are not deleted, as the API shows them. */
  flags: readonly JsonObject[]
}

export interface FlagStep {
  action: 'create' | 'update' | 'delete'
  key: string
  /** The flag as the API returns it. It is null for a new flag. */
  current: JsonObject | null
  /** The flag after the change, with references by key. It is null for a flag that is deleted. */
  wanted: Canonical | null
  differences: readonly Difference[]
  /** Whether the flag is as the file says, and only lacks the tag of the file. */
  isAdoption: boolean
}

export interface FlagPlan {
  /** Steps in an order in which they can be taken. */
  steps: readonly FlagStep[]
  /** Keys of flags that are as the file says, those that get its tag included. */
  same: readonly string[]
  /** Keys of flags that have the tag of the file, but are not in it. */
  orphans: readonly string[]
}

/** @throws FlagFileError for filters of another form, references that lead nowhere, flags of other files, encrypted payloads that the project lacks, and as `checkPruning` says. */
export function planFlags(file: FlagFile, project: ProjectFlags, prune: boolean): FlagPlan {
  const { flags, names } = project
  const tag = tagOf(file.managedBy)
  const known = new Map(flags.map((flag) => [String(flag.key), flag]))
  const entries = Object.entries(file.flags).map(([key, fields]) => ({ key, fields }))
  const { ids, allNames } = withNewFlags(entries, known, names)
  const references = referencesByName(allNames)
  // A disabled flag may name what is deleted; it can be changed and deleted all the same.
  const currentReferences = referencesByName(allNames, markUnknown)
  const toIds = ids.references('which the project does not have')
  const targets = targetsOf(file, flags, ids, allNames)
  const cohorts = new Map(
    [...names.cohorts].map(([id, name]) => [id, { id, name, isStatic: true, filters: null }]),
  )
  const problems: string[] = []
  const steps: FlagStep[] = []
  const same: string[] = []
  for (const { key, fields } of inOrder(entries, ({ fields: each }) => referencesOf(each.filters, 'flag'))) {
    const current = known.get(key) ?? null
    const owner = otherOwner(current, tag)
    if (owner) problems.push(`flags.${key}: the flag belongs to another file: it has the tag ${owner}.`)
    if (fields.has_encrypted_payloads === true && !hasPayload(current))
      problems.push(
        `flags.${key}: the project has no encrypted payload of it. Create it there with its payload first.`,
      )
    try {
      const wanted = canonicalFlag(withTag(fields, tag), references, toIds)
      const before = current && canonicalFlag(fieldsOf(current), currentReferences)
      const differences = differencesBetween(before, wanted)
      const isAdoption = current !== null && onlyAddsTag(differences, tag)
      if (current && (differences.length === 0 || isAdoption)) same.push(key)
      if (current && differences.length === 0) continue
      // Filters that are not sent stay, by whatever rules they were stored.
      if (!current || differences.some(({ place }) => place.startsWith('filters'))) {
        validateFilters(mapReferences(fields.filters, toIds), {
          self: { id: Number(ids.find('flag', key)), key },
          // A flag gets filters that a creation would change or reject by an update: `createFlag`.
          stored: (current?.filters ?? { groups: [] }) as unknown as FlagFilters,
          isRemoteConfiguration: false,
          linkedToEarlyAccess: false,
          targets,
          cohorts,
        })
      }
      steps.push({ action: current ? 'update' : 'create', key, current, wanted, differences, isAdoption })
    } catch (error) {
      const rejection = apiErrorIn(error)
      if (rejection) problems.push(`flags.${key}.filters: ${rejection.detail}`)
      else if (error instanceof UnknownReference) problems.push(`flags.${key}: ${error.message}.`)
      else throw error
    }
  }
  if (problems.length > 0)
    throw new FlagFileError(`The file does not fit the project:\n  ${problems.join('\n  ')}`)
  const managed = flags.filter((flag) => tagsOf(flag).includes(tag))
  const orphans = managed.filter((flag) => !Object.hasOwn(file.flags, String(flag.key)))
  if (prune && orphans.length > 0) checkPruning(file, orphans.length, managed.length)
  const removed = prune ? inOrder(orphans.map(asOrphan), ({ named }) => named).toReversed() : []
  return {
    // Flags on which others depend are deleted last.
    steps: [...steps, ...removed.map(({ key, flag }) => deletion(key, flag))],
    same,
    orphans: orphans.map(({ key }) => String(key)),
  }

  function asOrphan(flag: JsonObject) {
    const named = referencesOf(canonicalFlag(fieldsOf(flag), currentReferences).filters, 'flag')
    return { key: String(flag.key), flag, named }
  }
}

/** Returns the flags that conditions may name, by id, as the file leaves them. All count as enabled: others may enable them before. */
function targetsOf(file: FlagFile, current: readonly JsonObject[], ids: Ids, { flags }: Names) {
  const filtersHere = new Map(current.map((flag) => [String(flag.key), fieldsOf(flag).filters]))
  return new Map(
    [...flags].map(([id, key]) => {
      const inFile = Object.hasOwn(file.flags, key)
      const filters = inFile ? file.flags[key]!.filters : filtersHere.get(key)!
      // A flag that no one has is a problem of the flag that names it, and of no other.
      const named = referencesOf(filters, 'flag').flatMap((each) =>
        inFile ? (ids.find('flag', each) ?? []) : each,
      )
      const dependsOn = named.map(Number)
      const variants = textsOf(filters as unknown as FlagFilters)
      return [id, { id, key, active: true, variants, dependsOn }]
    }),
  )
}

/** Whether the conditions of another flag that is written name a flag. */
export const isNamedBy = (key: string, steps: readonly FlagStep[]): boolean =>
  steps.some(
    (other) => other.key !== key && other.wanted && referencesOf(other.wanted.filters, 'flag').includes(key),
  )

/** @throws FlagFileError for a file that deletes each flag with its tag, or that has its tag because it names none: they may be of another file. */
function checkPruning({ managedBy, isNamed }: FlagFile, deleted: number, managed: number): void {
  const flags = `${deleted} of the ${managed} flags with the tag ${tagOf(managedBy)}`
  if (!isNamed)
    throw new FlagFileError(
      `The file has no managed_by, and would delete ${flags}. Add "managed_by": "${managedBy}" if they are its own, or another name.`,
    )
  if (deleted === managed)
    throw new FlagFileError(
      `The file has none of the flags with the tag ${tagOf(managedBy)}, and would delete all ${managed}. Delete them otherwise, or apply the file without deletions first.`,
    )
}

const deletion = (key: string, current: JsonObject): FlagStep => ({
  action: 'delete',
  key,
  current,
  wanted: null,
  differences: [],
  isAdoption: false,
})

export const tagsOf = ({ tags }: JsonObject): string[] => (Array.isArray(tags) ? tags.map(String) : [])

/** The fields of a flag of the API that a file may have. */
export const fieldsOf = (flag: JsonObject): FlagFields => flag as unknown as FlagFields

const hasPayload = (current: JsonObject | null): boolean =>
  current !== null && Object.keys(fieldsOf(current).filters.payloads ?? {}).length > 0

const withTag = (fields: FlagFields, tag: string): FlagFields => ({
  ...fields,
  tags: [...((fields.tags ?? []) as string[]), tag],
})

const otherOwner = (current: JsonObject | null, tag: string): string | undefined =>
  current ? tagsOf(current).find((each) => each.startsWith(TAG_START) && each !== tag) : undefined

function onlyAddsTag([first, ...others]: readonly Difference[], tag: string): boolean {
  if (first?.place !== 'tags' || others.length > 0) return false
  const [before, after] = [first.before, first.after] as [readonly string[], readonly string[]]
  return after.length === before.length + 1 && after.every((each) => each === tag || before.includes(each))
}

/** @param current null for a new flag, which has the defaults. */
function differencesBetween(current: Canonical | null, wanted: Canonical): Difference[] {
  return Object.entries(wanted).flatMap(([field, value]) =>
    differencesOf(field, (current ?? NEW_FLAG)[field as keyof Canonical], value),
  )
}

/** The largest id of a flag in a condition. */
const LAST_ID = 999_999_999_999_999

/** Ids for flags that the file creates: numbers that no service assigns. */
function withNewFlags(
  entries: readonly { key: string }[],
  known: ReadonlyMap<string, JsonObject>,
  names: Names,
) {
  const added = entries
    .filter(({ key }) => !known.has(key))
    .map(({ key }, index): [number, string] => [LAST_ID - index, key])
  const allNames: Names = { ...names, flags: new Map([...names.flags, ...added]) }
  return { ids: new Ids(allNames), allNames }
}

const NEW_FLAG: Partial<Canonical> = DEFAULTS

const SIGNS = { create: '+', update: '~', delete: '-' } as const

/**
 * The lines of a plan.
 * @param pruning what deletes flags that are not in the file.
 */
export function planReport({ steps: all, same, orphans }: FlagPlan, pruning = '--prune'): string[] {
  const steps = all.filter(({ isAdoption }) => !isAdoption)
  const adopted = all.length - steps.length
  const removed = new Set(steps.filter(({ action }) => action === 'delete').map(({ key }) => key))
  const counts = (['create', 'update', 'delete'] as const).map(
    (action) => `${steps.filter((step) => step.action === action).length} to ${action}`,
  )
  return [
    ...steps.flatMap(({ action, key, differences }) => [
      `${SIGNS[action]} ${key}: ${action}`,
      ...differences.map(
        (each) => `    ${printable(action === 'create' ? valueLine(each) : differenceLine(each))}`,
      ),
    ]),
    ...orphans
      .filter((key) => !removed.has(key))
      .map((key) => `? ${key}: is managed by the file, and not in it. ${pruning} deletes it.`),
    `${counts.join(', ')}, ${same.length} the same.`,
    ...(adopted > 0 ? [`Without the tag of the file, which apply adds: ${adopted}.`] : []),
  ]
}
