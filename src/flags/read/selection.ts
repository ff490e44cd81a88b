// Filters of the list and of a bulk delete, parsed leniently (reference/flags-api.md §2).
import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  lt,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import * as z from 'zod'
import { isLongerThan } from '../../characters'
import { experiments, featureFlags, flagEvaluationContexts, flagTags } from '../../../drizzle'
import { invalid } from '../../errors'
import type { ParameterDocs } from '../../http/docs/operation-docs'
import { MAX_SEARCH_LENGTH } from '../../http/fields'
import type { Database } from '../../storage/database'
import { toStoredTimestamp } from '../../timestamps'
import { searchFor } from './search'
import { findMatchingIds, selectTestedFlags } from './search-candidates'
import { STALE_AFTER_DAYS } from './status'

const oneOf = (...values: readonly string[]) => z.unknown().meta({ type: 'string', enum: values })
const textual = () => z.unknown().meta({ type: 'string' })

/** The filters of the list. Malformed values are ignored, as upstream does; only `search` can be rejected. */
export const selectionFields = {
  active: oneOf('STALE', 'false', 'true'),
  archived: z.unknown().meta({ type: 'string', enum: ['false', 'true'], default: 'false' }),
  created_by_id: textual(),
  evaluation_runtime: oneOf('all', 'client', 'server'),
  excluded_properties: textual(),
  excluded_tags: textual(),
  has_evaluation_contexts: oneOf('false', 'true'),
  search: z.unknown().meta({ type: 'string', maxLength: MAX_SEARCH_LENGTH }),
  tags: textual(),
  type: oneOf('boolean', 'experiment', 'multivariant', 'remote_config'),
}

/** Documentation of the filters. */
export const selectionParameters = (): Readonly<Record<keyof typeof selectionFields, ParameterDocs>> => ({
  active:
    'Only enabled flags, only disabled ones, or with `STALE` only enabled flags that are no longer in use.',
  archived: 'Only archived flags, or only others. Default `false`.',
  created_by_id: {
    description:
      'Only flags that one of these users created: an id, ids separated by commas, or a JSON array of ids. Other members are ignored; without an id, all flags match.',
    example: '1',
  },
  evaluation_runtime: 'Only flags with exactly this runtime: `all` does not include the others.',
  excluded_properties: 'Keys of flags to exclude, as a JSON array. Anything else is ignored.',
  excluded_tags: 'Excludes flags with any of these tags: a JSON array. Anything else is ignored.',
  has_evaluation_contexts: 'Only flags with evaluation contexts, or only those without.',
  search: {
    description:
      'Only flags with this text in their key, their name, or the name of an experiment on them, ignoring case. At most 200 characters. A space also matches `-`, `_` or nothing: `new check` finds `new-checkout`.',
    example: 'new check',
  },
  tags: {
    description:
      'Only flags with at least one of these tags, in lower case: a JSON array. Anything else is ignored.',
    example: '["checkout"]',
  },
  type: 'Only flags with variants (`multivariant`), without (`boolean`), with an experiment, or that are remote configurations.',
})

export const SELECTION_KEYS = Object.keys(selectionFields) as (keyof typeof selectionFields)[]
export type Selection = Partial<Record<(typeof SELECTION_KEYS)[number], unknown>>

const TRUTHY = new Set(['y', 'yes', 't', 'true', 'on', '1'])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null))
const isTruthy = (value: unknown) => TRUTHY.has(textOf(value).toLowerCase())

/**
 * Validates a selection.
 * @throws 400 for a search term of over MAX_SEARCH_LENGTH characters (reference/flags-api.md §2).
 */
export function checkSelection({ search }: Selection): void {
  if (search !== undefined && isLongerThan(textOf(search).trim(), MAX_SEARCH_LENGTH))
    throw invalid(null, `Search term cannot exceed ${MAX_SEARCH_LENGTH} characters`)
}

/** Whether nothing but `archived` selects. */
export const isOfAll = (selection: Selection): boolean =>
  SELECTION_KEYS.every((key) => key === 'archived' || selection[key] === undefined)

export const isOfArchived = ({ archived }: Selection): boolean => archived !== undefined && isTruthy(archived)

/**
 * Selects flags of a project that are not deleted. Reads the database only for search terms that SQL cannot match: see `searchFor`.
 * @throws as `checkSelection` does.
 */
export async function conditionFor(
  db: Database,
  projectId: number,
  selection: Selection,
  now: Date,
): Promise<SQL> {
  checkSelection(selection)
  const given = <Key extends keyof Selection>(key: Key, build: (value: unknown) => SQL | undefined) =>
    selection[key] === undefined ? undefined : build(selection[key])
  const { search } = selection
  const mentioned = search === undefined ? undefined : await mentions(db, projectId, textOf(search).trim())
  return and(
    // The unary plus keeps SQLite from walking all flags of the project: those with a tag are few.
    selection.tags !== undefined && namesIn(selection.tags).length > 0
      ? sql`+${featureFlags.projectId} = ${projectId}`
      : eq(featureFlags.projectId, projectId),
    eq(featureFlags.deleted, false),
    eq(featureFlags.archived, isOfArchived(selection)),
    given('active', (value) => activeIs(textOf(value), now)),
    given('created_by_id', createdBy),
    given('evaluation_runtime', (value) => eq(featureFlags.evaluationRuntime, textOf(value))),
    given('excluded_properties', keyNotAmong),
    given('tags', (value) =>
      whenSome(namesIn(value), (names) => inArray(featureFlags.id, taggedIds(db, projectId, names))),
    ),
    given('excluded_tags', (value) =>
      whenSome(namesIn(value), (names) => notInArray(featureFlags.id, taggedIds(db, projectId, names))),
    ),
    given('has_evaluation_contexts', (value) => (isTruthy(value) ? exists : notExists)(contextsOf(db))),
    mentioned,
    given('type', (value) => isOfType(db, projectId, textOf(value))),
  )!
}

function activeIs(value: string, now: Date): SQL | undefined {
  if (value !== 'STALE') return eq(featureFlags.active, value.toLowerCase() === 'true')
  const cutoff = toStoredTimestamp(new Date(now.getTime() - STALE_AFTER_DAYS * 86_400_000))
  return and(
    eq(featureFlags.active, true),
    or(
      lt(featureFlags.lastCalledAt, cutoff),
      and(
        isNull(featureFlags.lastCalledAt),
        lt(featureFlags.createdAt, cutoff),
        eq(featureFlags.fullyRolledOut, true),
      ),
    ),
  )
}

/** One id, a comma list, or a JSON array. Other members are ignored; without an id, so is the filter. */
function createdBy(value: unknown): SQL | undefined {
  const members = parseArray(value) ?? textOf(value).split(',')
  const ids = members.map((member) => textOf(member).trim()).filter((member) => /^\d{1,15}$/.test(member))
  return ids.length ? among(featureFlags.createdById, ids.map(Number)) : undefined
}

/** A list travels as one JSON parameter: D1 binds at most 100. */
const among = (column: unknown, values: (string | number)[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`

const keyNotAmong = (value: unknown) =>
  whenSome(namesIn(value), (keys) => sql`NOT ${among(featureFlags.key, keys)}`)

function parseArray(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'string') return null
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : null
  } catch {
    return null
  }
}

const namesIn = (value: unknown): string[] =>
  (parseArray(value) ?? []).filter((name): name is string => typeof name === 'string')

const whenSome = (names: string[], build: (names: string[]) => SQL): SQL | undefined =>
  names.length ? build(names) : undefined

// One scan of the project's tags for all flags: per flag, SQLite would read every flag with the tag each time.
const taggedIds = (db: Database, projectId: number, names: string[]) =>
  db
    .select({ id: flagTags.flagId })
    .from(flagTags)
    .where(and(eq(flagTags.projectId, projectId), among(flagTags.name, names)))

const contextsOf = (db: Database) =>
  db
    .select({ one: sql`1` })
    .from(flagEvaluationContexts)
    .where(eq(flagEvaluationContexts.flagId, featureFlags.id))

async function mentions(db: Database, projectId: number, term: string): Promise<SQL | undefined> {
  if (term === '') return undefined
  const search = searchFor(term)
  if (search.kind === 'candidates')
    return among(featureFlags.id, await findMatchingIds(db, projectId, search))
  return or(
    search.holds('feature_flags.search_text'),
    inArray(featureFlags.id, selectTestedFlags(db, projectId, search.holds('experiments.search_name'))),
  )
}

function isOfType(db: Database, projectId: number, type: string): SQL | undefined {
  switch (type) {
    case 'boolean':
      return eq(featureFlags.variantCount, 0)
    case 'multivariant':
      return gt(featureFlags.variantCount, 0)
    case 'remote_config':
      return eq(featureFlags.isRemoteConfiguration, true)
    case 'experiment':
      return inArray(
        featureFlags.id,
        db.select({ id: experiments.flagId }).from(experiments).where(eq(experiments.projectId, projectId)),
      )
    default:
      return undefined
  }
}
