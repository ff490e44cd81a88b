// Breakdowns of an insight: their HogQL, and the values that a run chooses.
import { invalid } from '../../errors'
import { type WrittenBreakdown, writtenBreakdowns } from '../query/written-breakdowns'
import type { BreakdownFilter } from '../query/schema-parts'
import { quoted } from './text-parts'

/** The choice of a run for a breakdown: `any` is no choice, `unset` chooses "no value". */
export type Choice = { mode: 'any' | 'unset' } | { mode: 'is'; value: string }

export interface Breakdown {
  /** Name of the run's variable. */
  property: string
  /** HogQL whose result is a non-empty text, or NULL. */
  expression: string
}

/** @throws 400 `query` for unsupported breakdowns, and for both forms of them */
export function breakdownsOf(filter: BreakdownFilter | null | undefined): Breakdown[] {
  if (filter?.breakdowns?.length) {
    const { breakdown, breakdown_group_type_index: group, breakdown_normalize_url: isUrl } = filter
    if ((breakdown ?? null) !== null)
      throw invalid('query', 'breakdownFilter has breakdown and breakdowns: send one of them.')
    if (isUrl || (group ?? null) !== null)
      throw invalid(
        'query',
        `breakdownFilter.${isUrl ? 'breakdown_normalize_url' : 'breakdown_group_type_index'} is for breakdown: set ${isUrl ? 'normalize_url' : 'group_type_index'} of each of the breakdowns.`,
      )
  }
  return writtenBreakdowns(filter).map((breakdown) => {
    const source = `toString(${sourceOf(breakdown)})`
    const { property, isUrl } = breakdown
    // Empty text and NULL are the same value.
    return { property, expression: `nullIf(${isUrl ? normalizedUrl(source) : source}, '')` }
  })
}

/** HogQL of a URL without slashes, `?` and `#` at its end. An empty rest becomes `/`. */
const normalizedUrl = (url: string) =>
  `if(${url} IS NULL, NULL, ifNull(nullIf(replaceRegexpOne(${url}, '[/?#]*$', ''), ''), '/'))`

/** HogQL of the value of the actor's first event. `argMin` skips NULL, so that NULL is mapped to empty text inside it. */
export const valueOfFirst = ({ expression }: Breakdown): string =>
  `nullIf(argMin(ifNull(${expression}, ''), timestamp), '')`

function sourceOf({ property, type, group }: WrittenBreakdown): string {
  if (type !== 'group' && group !== null)
    throw invalid('query', `A breakdown with a group_type_index has the type 'group', and not '${type}'.`)
  switch (type) {
    case 'event':
      return `properties[${quoted(property)}]`
    case 'event_metadata':
      return metadataOf(property)
    case 'person':
      return `person.properties[${quoted(property)}]`
    case 'group':
      if (group === null || group < 0 || group > 4)
        throw invalid('query', 'A breakdown by group needs a group_type_index from 0 to 4.')
      return `group_${group}.properties[${quoted(property)}]`
    case 'session':
      return `session.${sessionField(property)}`
    case 'hogql':
      return `(${property}\n)`
  }
}

const METADATA = new Set(['event', 'distinct_id', 'person_id', '$session_id', 'timestamp', 'uuid'])

function metadataOf(field: string): string {
  if (METADATA.has(field)) return field
  throw invalid(
    'query',
    `Unknown field '${field}' of events to break down by. Valid choices: ${[...METADATA].join(', ')}.`,
  )
}

function sessionField(field: string): string {
  if (/^\$[a-z_]{1,60}$/.test(field)) return field
  throw invalid(
    'query',
    `Unknown field '${field}' of sessions to break down by: use one such as $channel_type.`,
  )
}

const modeVariable = (index: number) => `breakdown_mode_${index}`
const valueVariable = (index: number) => `breakdown_value_${index}`

/** The WHERE condition of the chosen values, or null without breakdowns. */
export const chosenCondition = (breakdowns: readonly Breakdown[]): string | null =>
  breakdowns
    .map(
      ({ expression }, index) =>
        `multiIf({variables.${modeVariable(index)}} = 'any', 1, {variables.${modeVariable(index)}} = 'unset', ${expression} IS NULL, ${expression} = {variables.${valueVariable(index)}})`,
    )
    .join(' AND ') || null

/** The same condition on the columns b0, b1, … of a subquery. */
export const chosenColumns = (breakdowns: readonly Breakdown[]): string | null =>
  chosenCondition(breakdowns.map((breakdown, index) => ({ ...breakdown, expression: `b${index}` })))

export const choiceVariables = (breakdowns: readonly Breakdown[]): Record<string, 'String'> =>
  Object.fromEntries(
    breakdowns.flatMap((_, index) =>
      [modeVariable(index), valueVariable(index)].map((name) => [name, 'String']),
    ),
  )

export const choiceValues = (choices: readonly Choice[]): [name: string, value: string][] =>
  choices.flatMap((choice, index) => [
    [modeVariable(index), choice.mode],
    [valueVariable(index), choice.mode === 'is' ? choice.value : ''],
  ])

/**
 * Parses the choice of a run; an empty text chooses "no value".
 * @throws 400 `variables` for a value that is not a text, number or boolean
 */
export function choiceOf(property: string, value: unknown): Choice {
  if (value === undefined || value === null) return { mode: 'any' }
  if (value === '') return { mode: 'unset' }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return { mode: 'is', value: String(value) }
  }
  throw invalid(
    'variables',
    `Could not apply filter for breakdown variable '${property}': it takes one text, number or boolean.`,
  )
}
