// Converts zod's first issue to an error with code and path. As upstream, an error reports the first failure only.
import type * as z from 'zod'
import { type ApiError, invalid } from '../errors'
import { closestKey } from './body/misspelt-keys'
import { typeWords } from './value-words'

type Issue = z.core.$ZodIssue

/** Returns an issue's own code: `.refine(…, { params: { code } })`. */
const customCode = (issue: Issue): string | undefined =>
  issue.code === 'custom' ? (issue.params?.code as string | undefined) : undefined

/**
 * Returns the error for the first issue of a failed parse.
 * @param data the input, which distinguishes a missing field from null
 */
export function firstFailure(error: z.core.$ZodError, data: unknown): ApiError {
  const issue = error.issues[0]!
  // A member of a list in a text has no place of its own.
  const isInText = issue.path.length > 1 && typeof valueAt(data, issue.path.slice(0, -1)) === 'string'
  const place = isInText ? issue.path.slice(0, -1) : issue.path
  const attr = place.length ? place.map(String).join('__') : null
  const [detail, code] = explain(issue, valueAt(data, issue.path))
  return invalid(attr, detail, code)
}

/** Returns the value at a path. In a text that a schema parses as a list, it is the value of the list's member. */
function valueAt(data: unknown, path: PropertyKey[]): unknown {
  return path.reduce(
    (at, key) =>
      at && typeof at === 'object'
        ? Reflect.get(at, key)
        : typeof at === 'string' && typeof key === 'number'
          ? at
          : undefined,
    data,
  )
}

function explain(issue: Issue, value: unknown): [detail: string, code?: string] {
  switch (issue.code) {
    case 'invalid_type':
      return explainType(issue, value)
    case 'invalid_value':
      return value === undefined
        ? REQUIRED
        : value === null
          ? NULL
          : [invalidChoice(printed(value), issue.values), 'invalid_choice']
    case 'too_big':
      return explainTooBig(issue)
    case 'too_small':
      return explainTooSmall(issue)
    case 'custom':
      return value === undefined && !customCode(issue) ? REQUIRED : [issue.message, customCode(issue)]
    case 'invalid_union':
      return value === undefined ? REQUIRED : value === null ? NULL : [issue.message]
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
      return [issue.message]
    case 'unrecognized_keys':
      return [`Unknown field: ${issue.keys.join(', ')}`, 'unknown_field']
  }
}

const REQUIRED: [string, string] = ['This field is required.', 'required']
const NULL: [string, string] = ['This field may not be null.', 'null']

function explainType(issue: z.core.$ZodIssueInvalidType, value: unknown): [string, string?] {
  if (issue.path.length === 0) return [`Invalid data. Expected an object, but got ${typeWords(value)}.`]
  if (value === undefined) return REQUIRED
  if (value === null) return NULL
  switch (issue.expected) {
    case 'boolean':
      return ['Must be a valid boolean.']
    // Values of other types are reported as `number`. No field accepts fractions.
    case 'int':
    case 'number':
      return ['A valid integer is required.']
    case 'string':
      return ['Not a valid string.']
    case 'array':
      return [`Expected a list of items but got ${typeWords(value)}.`, 'not_a_list']
    case 'object':
    case 'record':
      return [`Expected an object but got ${typeWords(value)}.`, 'not_a_dict']
    default:
      return [issue.message]
  }
}

function explainTooBig(issue: z.core.$ZodIssueTooBig): [string, string?] {
  if (issue.origin === 'string')
    return [`Ensure this field has no more than ${issue.maximum} characters.`, 'max_length']
  if (issue.origin === 'array')
    return [`Ensure this field has no more than ${issue.maximum} elements.`, 'max_length']
  return [`Ensure this value is less than or equal to ${issue.maximum}.`, 'max_value']
}

function explainTooSmall(issue: z.core.$ZodIssueTooSmall): [string, string?] {
  if (issue.origin === 'string') return ['This field may not be blank.', 'blank']
  if (issue.origin === 'array') return ['This list may not be empty.', 'empty']
  return [`Ensure this value is greater than or equal to ${issue.minimum}.`, 'min_value']
}

/** Returns the error text for a value that is not among `choices`. */
export function invalidChoice(sent: string, choices: readonly unknown[]): string {
  const words = choices.map((choice) => (choice === '' ? '""' : String(choice)))
  const meant = closestKey(sent, words)
  return `"${sent}" is not a valid choice.${meant === null ? '' : ` Did you mean ${meant}?`} Valid choices: ${words.join(', ')}.`
}

const printed = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** Returns the error of a field that refers to a row, for a value that is not an id. */
export const noPrimaryKey = (sent: unknown) => ({
  detail: `Incorrect type. Expected an id, received ${typeWords(sent)}.`,
  code: 'incorrect_type',
})

/** Returns the error of a field that refers to a row, for an id without a row. */
export const noSuchObject = (sent: unknown) => ({
  detail: `Invalid pk "${sent}" - object does not exist.`,
  code: 'does_not_exist',
})
