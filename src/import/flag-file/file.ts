// The text of a file of flags.
import { type Schema, Validator } from '@cfworker/json-schema'
import { ApiError } from '../../errors'
import { checkNumbers } from '../../http/body/exact-integers'
import { endOfString } from '../../http/body/json-size'
import { fieldsWith, type FieldWith } from '../../flag-fields'
import { isObject, type JsonObject, type JsonValue } from '../../json'
import schema from '../../public/halyard.schema.json' with { type: 'json' }

export type FlagFields = Partial<Record<FieldWith<'file'>, JsonValue>> & { filters: JsonObject }

export interface FlagFile {
  managedBy: string
  /** Whether the file has its name by itself, and not because it has none. */
  isNamed: boolean
  /** Flags by key. */
  flags: Readonly<Record<string, FlagFields>>
}

/** The text is not a file of flags. The message is for people, and each of its lines names a position. */
export class FlagFileError extends Error {
  override readonly name = 'FlagFileError'
}

export const DEFAULT_NAME = 'halyard.json'

export const MAX_FILE_BYTES = 32 * 1024 * 1024
/** Maximum problems that an error lists. */
const MAX_LISTED = 20

/** @throws FlagFileError. */
export function parseFlagFile(text: string, name: string): FlagFile {
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
    checkNumbers(text)
  } catch (error) {
    if (error instanceof ApiError)
      throw new FlagFileError(`${name}: ${error.attr?.replaceAll('__', '.')}: ${error.detail}`)
    throw new FlagFileError(`${name} is not valid JSON: ${(error as Error).message}`)
  }
  const repeated = repeatedKeyIn(text)
  if (repeated !== null)
    throw new FlagFileError(`${name} has the key ${JSON.stringify(repeated)} twice in one object.`)
  const { valid, errors } = validated(value, name)
  if (!valid) {
    // Errors of nested members come before those of their containers: the innermost are shown.
    const containers = new Set(errors.flatMap(({ instanceLocation }) => containersOf(instanceLocation)))
    const innermost = errors.filter(({ instanceLocation }) => !containers.has(instanceLocation))
    const reasons = innermost.filter(({ error }) => !SUMMARY.test(error))
    const byPlace = Map.groupBy(reasons.length > 0 ? reasons : innermost, ({ instanceLocation: at }) => at)
    const lines = [...byPlace].flatMap(([at, found]) =>
      explained(
        found.map(({ error }) => error),
        at,
      ).map((problem) => `${placeOf(at)}: ${problem}`),
    )
    throw new FlagFileError(`${name} is not a file of flags:\n  ${lines.slice(0, MAX_LISTED).join('\n  ')}`)
  }
  const { managed_by: ownName, flags } = value as {
    managed_by?: string
    flags: Record<string, FlagFields>
  }
  const problems = Object.entries(flags).flatMap(([key, flag]) => problemsOf(key, flag))
  if (problems.length > 0) throw new FlagFileError(`${name}:\n  ${problems.join('\n  ')}`)
  const isDefault = name.split(/[/\\]/).at(-1) === DEFAULT_NAME
  return { managedBy: ownName ?? DEFAULT_NAME, isNamed: ownName !== undefined || isDefault, flags }
}

/**
 * Returns the first key that one object has twice, of which `JSON.parse` keeps the last value.
 * @param text valid JSON
 */
function repeatedKeyIn(text: string): string | null {
  const open: Set<string>[] = []
  let last = ''
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const start = at
        at = endOfString(text, at)
        last = text.slice(start, at + 1)
        break
      }
      case ':': {
        const key = JSON.parse(last) as string
        if (open.at(-1)!.has(key)) return key
        open.at(-1)!.add(key)
        break
      }
      case '{':
        open.push(new Set())
        break
      case '}':
        open.pop()
        break
      default:
    }
  }
  return null
}

/** @throws FlagFileError where the problems are more than the validator holds, some ten thousands of one object. */
function validated(value: JsonValue, name: string) {
  try {
    return new Validator(schema as unknown as Schema, '7', false).validate(value)
  } catch (error) {
    if (error instanceof RangeError)
      throw new FlagFileError(`${name} is not a file of flags: it has more problems than can be listed.`)
    throw error
  }
}

/** `#/flags/banner` is in `#/flags`, and that in `#`. */
function containersOf(location: string): string[] {
  const containers: string[] = []
  for (let end = location.lastIndexOf('/'); end > 0; end = location.lastIndexOf('/', end - 1))
    containers.push(location.slice(0, end))
  return containers
}

/** Keywords whose errors only say that there are others. */
const SUMMARY = /^A subschema had errors\.$|^Instance does not match (?:every|any) subschemas?\.$/

/** What the validator expected instead: the names of types, or values as JSON. */
const EXPECTED =
  /^Instance type "\w+" is invalid\. Expected (.*)\.$|^Instance does not match any of \[(.*)\]\.$/

/** Returns the problems of a place, in which those of several types and choices are one. */
function explained(errors: readonly string[], location: string): string[] {
  const expected = errors.map((error) => EXPECTED.exec(error))
  const types = expected.flatMap((found) => found?.[1]?.replaceAll('"', '').split(', ') ?? [])
  const choices = expected.flatMap((found) => found?.[2] ?? [])
  // The choices are texts.
  const others = new Set(types.filter((type) => type !== 'string' || choices.length === 0))
  const wanted = [...new Set(choices.map((list) => `one of ${list}`)), ...others]
  return [
    ...(wanted.length > 0 ? [`This has to be ${wanted.join(' or ')}.`] : []),
    ...new Set(
      errors.filter((_, index) => expected[index] === null).map((error) => explain(error, location)),
    ),
  ]
}

/** The validator's texts, in the words of the file where they have none of it. */
function explain(error: string, location: string): string {
  if (error === 'False boolean schema.')
    return `There is no such field. A flag has ${fieldsWith('file').join(', ')}.`
  if (error === 'String does not match pattern.')
    return location.startsWith('#/flags/')
      ? 'A key has 1 to 400 letters, digits, hyphens and underscores.'
      : 'This has 1 to 100 lower-case letters, digits, dots, hyphens and underscores.'
  return error.replace(/^Instance does not have required property (".*")\.$/, 'The field $1 is missing.')
}

/** Writes `#/flags/banner/active` as `flags.banner.active`. */
const placeOf = (location: string) =>
  location
    .replace(/^#\/?/, '')
    .split('/')
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.') || 'the file'

function problemsOf(
  key: string,
  { filters, has_encrypted_payloads: isEncrypted, tags }: FlagFields,
): string[] {
  return [
    ...(isEncrypted === true && isObject(filters.payloads ?? null)
      ? [`flags.${key}.filters.payloads: an encrypted payload does not belong into a file. Leave it out.`]
      : []),
    ...(Array.isArray(tags) && tags.some((tag) => String(tag).startsWith(TAG_START))
      ? [`flags.${key}.tags: the tag ${TAG_START}… is added by itself. Leave it out.`]
      : []),
  ]
}

export const TAG_START = 'managed-by:'

export const tagOf = (managedBy: string): string => TAG_START + managedBy

/** @param schemaUrl JSON schema for completion in editors. */
export const printFlagFile = ({ managedBy, flags }: Omit<FlagFile, 'isNamed'>, schemaUrl: string): string =>
  `${JSON.stringify(
    { $schema: schemaUrl, ...(managedBy === DEFAULT_NAME ? {} : { managed_by: managedBy }), flags },
    null,
    2,
  )}\n`
