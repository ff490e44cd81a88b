// The flags that a bulk change selects: ids, or the filters of the list.
import { type ApiError, apiErrorIn, invalidErrorText } from '../../errors'
import { closestKey } from '../../http/body/misspelt-keys'
import { integerIn, pageQuery } from '../../http/fields'
import { isObject } from '../../json'
import { isNarrow, parseSelection, type Selection, SELECTION_KEYS } from '../read/parse-selection'

/** A selection. It is plain data, because it is sent by RPC. */
export type BulkSelection =
  | { kind: 'ids'; ids: number[]; invalid: unknown[] }
  | { kind: 'filters'; filters: Selection; page: Page | null }

/** The part of the list that is deleted. The order is that of the list, newest first. */
export interface Page {
  limit: number
  offset: number
}

const FILTER_KEYS: readonly string[] = [...SELECTION_KEYS, ...Object.keys(pageQuery)]

/** The keys of a body. Any other key is a mistake, and could widen what is deleted. */
const BODY_KEYS: readonly string[] = ['filters', 'ids', 'personal_api_key']

/**
 * Parses the selection of a body. Empty filters and empty ids count as omitted. Every other value is parsed or rejected, so that no flag
 * is deleted because a value could not be read.
 * @throws 400 `{error}`; also for filters that select every flag
 */
export function parseBulkSelection(body: Record<string, unknown>): BulkSelection {
  rejectUnknown('keys', Object.keys(body), BODY_KEYS)
  const filters = body.filters ?? {}
  const ids = body.ids ?? []
  if (!isObject(filters)) throw invalidErrorText('filters must be an object')
  if (!Array.isArray(ids)) throw invalidErrorText('ids must be a list')
  const hasFilters = Object.keys(filters).length > 0
  if (hasFilters && ids.length > 0) throw invalidErrorText('Provide either filters or ids, not both')
  if (ids.length > 0) return { kind: 'ids', ...distinctIds(ids) }
  if (!hasFilters) throw invalidErrorText('Must provide either filters or ids')
  return parseFilters(filters)
}

/** Returns the ids of a body that has no other selection. @throws 400 `{error}` */
export function parseIds(body: Record<string, unknown>): SplitIds {
  rejectUnknown('keys', Object.keys(body), ['ids', 'personal_api_key'])
  if (!Array.isArray(body.ids) || body.ids.length === 0)
    throw invalidErrorText('ids must be a list of one or more ids')
  return distinctIds(body.ids)
}

function rejectUnknown(what: string, sent: readonly string[], known: readonly string[]): void {
  const unknown = sent.filter((key) => !known.includes(key)).sort()
  if (unknown.length === 0) return
  const [meant] = unknown.flatMap((key) => closestKey(key, known) ?? [])
  throw invalidErrorText(
    `Unknown ${what}: ${unknown.join(', ')}${meant === undefined ? '' : `. Did you mean ${meant}?`}`,
  )
}

function parseFilters(sent: Record<string, unknown>): BulkSelection {
  rejectUnknown('filter keys', Object.keys(sent), FILTER_KEYS)
  let filters: Selection
  try {
    filters = parseSelection(sent)
  } catch (error) {
    const rejection = apiErrorIn(error)
    throw rejection ? asErrorText(rejection) : error
  }
  const page = parsePage(sent)
  if (!isNarrow(filters))
    throw invalidErrorText(
      `These filters select every flag that is not archived: ${Object.keys(sent).join(', ')}. Send one that narrows, or ids.`,
    )
  // An empty list is rejected: a caller may have computed it, and without it more flags would be deleted.
  const empty = SELECTION_KEYS.find(
    (key) => key !== 'archived' && key in sent && !isNarrow(parseSelection({ [key]: sent[key] })),
  )
  if (empty) throw invalidErrorText(`filters.${empty}: Is empty, and selects every flag. Leave it out.`)
  return { kind: 'filters', filters, page }
}

const asErrorText = ({ attr, detail }: ApiError) =>
  invalidErrorText(attr === null ? detail : `filters.${attr}: ${detail}`)

/**
 * Returns null without `limit` and `offset`, which selects everything that matches. Unlike the list, which reads any value, it rejects a
 * value that is no number.
 */
function parsePage({ limit, offset }: Record<string, unknown>): Page | null {
  if (limit === undefined && offset === undefined) return null
  const parsed = {
    limit: limit === undefined ? undefined : integerIn(limit),
    offset: offset === undefined ? 0 : integerIn(offset),
  }
  if (parsed.limit === null || (parsed.limit !== undefined && parsed.limit < 1))
    throw invalidErrorText('filters.limit: Must be a number from 1.')
  if (parsed.offset === null || parsed.offset < 0)
    throw invalidErrorText('filters.offset: Must be a number from 0.')
  return { limit: pageQuery.limit.parse(parsed.limit), offset: parsed.offset }
}

export interface SplitIds {
  ids: number[]
  /** Members that are no ids. */
  invalid: unknown[]
}

/** Splits ids from other members. Safe integers and text of digits are ids. Duplicates stay. */
export function splitIds(members: readonly unknown[]): SplitIds {
  const ids: number[] = []
  const invalid: unknown[] = []
  for (const member of members) {
    const id = typeof member === 'string' && DIGITS.test(member) ? Number(member) : member
    if (Number.isSafeInteger(id)) ids.push(id as number)
    else invalid.push(member)
  }
  return { ids, invalid }
}

function distinctIds(members: readonly unknown[]): SplitIds {
  const { ids, invalid } = splitIds(members)
  return { ids: [...new Set(ids)], invalid }
}

const DIGITS = /^\d+$/
