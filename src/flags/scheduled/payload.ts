// The change that a scheduled change makes. Pure.
import { invalid } from '../../errors'
import { noSuchField } from '../../http/body/misspelt-keys'
import { isObject, type JsonObject } from '../../json'
import { jsonBytes } from '../../json-bytes'

export const OPERATIONS = ['update_status', 'add_release_condition', 'update_variants'] as const

export type ChangePayload =
  | { operation: 'update_status'; value: boolean }
  | { operation: 'add_release_condition'; value: JsonObject & { groups: unknown[] } }
  | {
      operation: 'update_variants'
      value: JsonObject & { variants: unknown[]; payloads?: JsonObject | null }
    }

type ChangeOf<Operation> = Extract<ChangePayload, { operation: Operation }>['value']

/** Maximum bytes of a payload as JSON. */
export const MAX_CHANGE_BYTES = 65_536

export const rejectPayload = (detail: string) => invalid('payload', detail)

/** @throws 400, attr `payload`. */
export function parsePayload(sent: JsonObject): ChangePayload {
  const { operation, value } = sent
  const bytes = jsonBytes(sent)
  if (bytes > MAX_CHANGE_BYTES)
    throw rejectPayload(`The payload has ${bytes} bytes; at most ${MAX_CHANGE_BYTES} are possible.`)
  checkMembers(sent, ['operation', 'value'])
  switch (operation) {
    case 'update_status':
      if (typeof value !== 'boolean') throw rejectPayload('`value` of update_status must be true or false.')
      return { operation, value }
    case 'add_release_condition':
      if (!isObject(value) || !Array.isArray(value.groups) || value.groups.length === 0)
        throw rejectPayload('`value` of add_release_condition must have `groups`: a list of condition sets.')
      checkMembers(withoutRepeatedIndex(value, value.groups), ['groups'])
      return { operation, value: value as ChangeOf<'add_release_condition'> }
    case 'update_variants':
      if (!isObject(value) || !Array.isArray(value.variants))
        throw rejectPayload('`value` of update_variants must have `variants`: a list of variants.')
      if (value.payloads !== undefined && value.payloads !== null && !isObject(value.payloads))
        throw rejectPayload('`payloads` of update_variants must be an object by key of the variant.')
      checkMembers(value, ['variants', 'payloads'])
      return { operation, value: value as ChangeOf<'update_variants'> }
    default:
      throw rejectPayload(`\`operation\` must be one of ${OPERATIONS.join(', ')}.`)
  }
}

/**
 * Clients of upstream send the filters of a new flag with the part that the operation takes, so that empty members are accepted.
 * @throws 400, attr `payload`, for a member that the operation does not take
 */
function checkMembers(sent: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(sent).find((key) => !known.includes(key) && !isEmpty(sent[key]))
  if (unknown !== undefined) throw invalid('payload', noSuchField(unknown, known), 'unknown_field')
}

/** Filters of upstream repeat the index of a group type that all of their condition sets have. */
function withoutRepeatedIndex(value: JsonObject, groups: readonly unknown[]): JsonObject {
  const { aggregation_group_type_index: index, ...rest } = value
  const isRepeated = groups.every((set) => isObject(set) && set.aggregation_group_type_index === index)
  return isRepeated ? rest : value
}

const isEmpty = (value: unknown): boolean =>
  (value ?? null) === null || (typeof value === 'object' && Object.keys(value as object).length === 0)
