// Parses the filters of the list of flags, for everything that selects flags by them. Pure.
import * as z from 'zod'
import { isLongerThan } from '../../characters'
import { invalid } from '../../errors'
import type { ParameterDocs } from '../../http/docs/operation-docs'
import { MAX_SEARCH_LENGTH, boolean } from '../../http/fields'
import { invalidChoice } from '../../http/validation'
import { cleanNames } from '../../tags'

const TYPES = ['boolean', 'experiment', 'multivariant', 'remote_config'] as const
const RUNTIMES = ['all', 'client', 'server'] as const
const STALE = 'STALE'

const oneOf = (...values: readonly string[]) => z.unknown().meta({ type: 'string', enum: values })
const textual = () => z.unknown().meta({ type: 'string' })

/** The filters as they are sent. `parseSelection` checks their values. */
export const selectionFields = {
  active: oneOf(STALE, 'false', 'true'),
  archived: z.unknown().meta({ type: 'string', enum: ['false', 'true'], default: 'false' }),
  created_by_id: textual(),
  evaluation_runtime: oneOf(...RUNTIMES),
  excluded_properties: textual(),
  excluded_tags: textual(),
  has_evaluation_contexts: oneOf('false', 'true'),
  search: z.unknown().meta({ type: 'string', maxLength: MAX_SEARCH_LENGTH }),
  tags: textual(),
  type: oneOf(...TYPES),
}

/** Documentation of the filters. */
export const selectionParameters = (): Readonly<Record<keyof typeof selectionFields, ParameterDocs>> => ({
  active:
    'Only enabled flags, only disabled ones, or with `STALE` only enabled flags that are no longer in use.',
  archived: 'Only archived flags, or only others. Default `false`.',
  created_by_id: {
    description:
      'Only flags that one of these users created: an id, ids separated by commas, or a JSON array of ids.',
    example: '1',
  },
  evaluation_runtime: 'Only flags with exactly this runtime: `all` does not include the others.',
  excluded_properties: 'Keys of flags to exclude: a JSON array, or keys separated by commas.',
  excluded_tags: 'Excludes flags with any of these tags, in either form of `tags`.',
  has_evaluation_contexts: 'Only flags with evaluation contexts, or only those without.',
  search: {
    description:
      'Only flags with this text in their key, their name, or the name of an experiment on them, ignoring case. At most 200 characters. A space also matches `-`, `_` or nothing: `new check` finds `new-checkout`. Blank: all.',
    example: 'new check',
  },
  tags: {
    description:
      'Only flags with at least one of these tags: a JSON array, or tags separated by commas, in any case. An empty array does not filter.',
    example: '["checkout"]',
  },
  type: 'Only flags with variants (`multivariant`), without (`boolean`), with an experiment, or that are remote configurations.',
})

export const SELECTION_KEYS = Object.keys(selectionFields) as (keyof typeof selectionFields)[]
export type SentSelection = Partial<Record<(typeof SELECTION_KEYS)[number], unknown>>

/** The parsed filters. A field that is undefined does not filter. They are plain data, because they are sent by RPC. */
export interface Selection {
  active?: boolean | typeof STALE | undefined
  archived: boolean
  createdBy?: number[] | undefined
  evaluationRuntime?: (typeof RUNTIMES)[number] | undefined
  excludedKeys?: string[] | undefined
  excludedTags?: string[] | undefined
  hasContexts?: boolean | undefined
  search?: string | undefined
  tags?: string[] | undefined
  type?: (typeof TYPES)[number] | undefined
}

/**
 * Parses filters. A value is the text of a query, or the JSON value for which it stands. No value is ignored.
 * @throws 400, attr the name of the filter, for a value that the filter does not have
 */
export function parseSelection(sent: SentSelection): Selection {
  const given = <Value>(
    name: keyof SentSelection,
    parse: (name: string, value: unknown) => Value,
  ): Value | undefined => (sent[name] === undefined ? undefined : parse(name, sent[name]))
  return {
    active: given('active', parseActive),
    archived: given('archived', parseBoolean) ?? false,
    createdBy: given('created_by_id', parseIds),
    evaluationRuntime: given('evaluation_runtime', choiceOf(RUNTIMES)),
    excludedKeys: given('excluded_properties', (name, value) => someOf(parseNames(name, value))),
    excludedTags: given('excluded_tags', parseTags),
    hasContexts: given('has_evaluation_contexts', parseBoolean),
    search: given('search', parseSearch),
    tags: given('tags', parseTags),
    type: given('type', choiceOf(TYPES)),
  }
}

/** Whether the selection differs from the list without filters. */
export const isNarrow = ({ archived, ...filters }: Selection): boolean =>
  archived || Object.values(filters).some((value) => value !== undefined)

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** Maximum characters of a value that an error shows. */
const MAX_SHOWN = 100

const choiceOf =
  <const Choices extends readonly string[]>(choices: Choices) =>
  (name: string, value: unknown): Choices[number] => {
    const choice = choices.find((each) => each === value)
    if (choice !== undefined) return choice
    throw invalid(name, invalidChoice(shown(value), choices), 'invalid_choice')
  }

const BOOLEAN = boolean()

function parseBoolean(name: string, value: unknown): boolean {
  const parsed = BOOLEAN.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(name, invalidChoice(shown(value), ['false', 'true']), 'invalid_choice')
}

function parseActive(name: string, value: unknown): boolean | typeof STALE {
  if (typeof value === 'string' && value.toUpperCase() === STALE) return STALE
  const parsed = BOOLEAN.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalid(name, invalidChoice(shown(value), [STALE, 'false', 'true']), 'invalid_choice')
}

/** Returns the members of an array, of a JSON array, or of a list with commas. */
function membersOf(name: string, value: unknown, what: string): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value === 'string' && value.trim() !== '') {
    if (!/^\s*[[{"]/.test(value)) return value.split(',').map((member) => member.trim())
    const parsed = jsonIn(value)
    if (Array.isArray(parsed)) return parsed
  }
  throw invalid(
    name,
    `Must be a JSON array of ${what}, or ${what} separated by commas. Got: ${shown(value)}.`,
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const someOf = <Member>(members: Member[]): Member[] | undefined => (members.length > 0 ? members : undefined)

function parseIds(name: string, value: unknown): number[] | undefined {
  const members = typeof value === 'number' ? [value] : membersOf(name, value, 'ids of users')
  return someOf(
    members.map((member) => {
      const text = typeof member === 'number' ? String(member) : member
      if (typeof text === 'string' && /^\s*\d{1,15}\s*$/.test(text)) return Number(text)
      throw invalid(name, `Must be ids of users. Not an id: ${shown(member)}.`)
    }),
  )
}

const parseNames = (name: string, value: unknown): string[] =>
  membersOf(name, value, name === 'excluded_properties' ? 'keys of flags' : 'tags').map((member) => {
    if (typeof member === 'string' && member.trim() !== '') return member
    throw invalid(name, `Each member must be text that is not blank. Got: ${shown(member)}.`)
  })

const parseTags = (name: string, value: unknown): string[] | undefined =>
  someOf(cleanNames(parseNames(name, value)))

/** @throws 400 for over MAX_SEARCH_LENGTH characters. */
function parseSearch(name: string, value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number')
    throw invalid(name, `Must be text. Got: ${shown(value)}.`)
  const term = String(value).trim()
  if (isLongerThan(term, MAX_SEARCH_LENGTH))
    throw invalid(null, `Search term cannot exceed ${MAX_SEARCH_LENGTH} characters`)
  return term === '' ? undefined : term
}
