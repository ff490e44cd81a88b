// Rejects body keys that would be ignored although their caller means something: a misspelt field, and any unknown one of a nested object.
import type * as z from 'zod'
import { editDistance } from '../../edit-distance'
import { invalid } from '../../errors'
import { isObject, type UnknownObject } from '../../json'

/** The key that every operation accepts. */
export const CREDENTIAL = 'personal_api_key'

/**
 * Rejects keys of a body that are close to a field that can be written, and all unknown keys of the objects in it. Other unknown keys of
 * the body itself are ignored, as upstream does. Fields of the response are accepted, because callers send whole records back.
 * @param placeOf returns where the value of an unknown key of the body belongs
 * @throws 400 `unknown_field`, attr the path of the first such key
 */
export function rejectMisspeltKeys(
  body: unknown,
  schema: z.ZodType,
  shown: z.ZodType | null,
  placeOf: ((key: string, body: UnknownObject) => string | null) | null = null,
  path: readonly string[] = [],
): void {
  if (Array.isArray(body)) {
    const element = elementOf(schema)
    if (element === null) return
    const shownElement = shown && elementOf(shown)
    for (const [index, each] of body.entries())
      rejectMisspeltKeys(each, element, shownElement, null, [...path, String(index)])
    return
  }
  const fields = fieldsOf(schema)
  if (fields === null || !isObject(body)) return
  const shownFields = (shown && fieldsOf(shown)) ?? {}
  const known = Object.keys(fields)
  let compared = 0
  for (const [key, value] of Object.entries(body)) {
    if (Object.hasOwn(fields, key)) {
      const shownField = Object.hasOwn(shownFields, key) ? shownFields[key]! : null
      rejectMisspeltKeys(value, fields[key]!, shownField, null, [...path, key])
      continue
    }
    if (Object.hasOwn(shownFields, key)) continue
    const attr = [...path, key].join('__')
    if (path.length > 0 && !isLoose(schema)) throw invalid(attr, noSuchField(key, known), 'unknown_field')
    if (key === CREDENTIAL) continue
    compared += 1
    if (compared > MAX_COMPARED_KEYS) continue
    const meant = placeOf?.(key, body) ?? closestKey(key, known)
    if (meant !== null) throw invalid(attr, unknownKey(key, meant), 'unknown_field')
  }
}

/** The most unknown keys of one object that are compared. An object with more is not a misspelt body. */
const MAX_COMPARED_KEYS = 1_000

/** The error text for a key that is close to a known one. */
export const unknownKey = (sent: string, meant: string) => `Unknown field: ${sent}. Did you mean ${meant}?`

/**
 * Returns the error text for a key that a nested object does not have, with the closest known key, or else all.
 * @param at the path of the object, if the text names it
 */
export function noSuchField(sent: string, known: readonly string[], at = ''): string {
  const meant = closestKey(sent, known)
  if (meant !== null) return unknownKey(`${at}${sent}`, meant)
  const shown = sent.length > MAX_KEY_LENGTH ? `${sent.slice(0, MAX_KEY_LENGTH)}…` : sent
  return `Unknown field: ${at}${shown}. Known fields: ${known.join(', ')}.`
}

type Inner = Readonly<Record<'innerType' | 'element' | 'in' | 'out', z.ZodType>>

/** Returns a schema without its wrappers, such as `optional`, `nullable`, `preprocess` and `transform`. */
function unwrapped(schema: z.ZodType): z.ZodType {
  const inner = schema.def as unknown as Inner
  if (schema.def.type === 'pipe') return unwrapped(inner.out.def.type === 'transform' ? inner.in : inner.out)
  return inner.innerType ? unwrapped(inner.innerType) : schema
}

/** Whether the schema of an object keeps keys that it does not know. */
const isLoose = (schema: z.ZodType): boolean =>
  (unwrapped(schema).def as { catchall?: z.ZodType }).catchall?.def.type === 'unknown'

function fieldsOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | null {
  const bare = unwrapped(schema)
  return bare.def.type === 'object' ? (bare as z.ZodObject<Record<string, z.ZodType>>).shape : null
}

function elementOf(schema: z.ZodType): z.ZodType | null {
  const bare = unwrapped(schema)
  return bare.def.type === 'array' ? (bare.def as unknown as Inner).element : null
}

/** The most characters of a key that is compared. */
const MAX_KEY_LENGTH = 100

/** The fewest letters of a key that may be meant for one that begins or ends with it, such as `rollout_percent`. */
const MIN_PART_LENGTH = 5

/**
 * Returns the known key that an unknown one is most likely meant to be: the same except for case, underscores and plural; one or two typing
 * errors away; or one that begins or ends with it. Returns null when none is close.
 */
export function closestKey(sent: string, known: readonly string[]): string | null {
  if (sent.length > MAX_KEY_LENGTH) return null
  const letters = lettersOf(sent)
  let meant: string | null = null
  let fewest = Number.POSITIVE_INFINITY
  for (const key of known) {
    const errors = distanceTo(letters, lettersOfKnown(key))
    if (errors < fewest) [meant, fewest] = [key, errors]
  }
  return meant
}

/** Letters of known keys. The cache needs no limit, because known keys are few. */
const knownLetters = new Map<string, string>()

function lettersOfKnown(key: string): string {
  let letters = knownLetters.get(key)
  if (letters === undefined) knownLetters.set(key, (letters = lettersOf(key)))
  return letters
}

/** Returns a key without case, underscores and plural. */
export const lettersOf = (key: string): string =>
  key.toLowerCase().replace(/[-_ ]/g, '').replace(/ies$/, 'y').replace(/s$/, '')

/** Returns the number of typing errors between two keys; it is infinite when they are not close. */
function distanceTo(sent: string, known: string): number {
  const length = Math.min(sent.length, known.length)
  const max = length <= 2 ? 0 : length <= 4 ? 1 : 2
  const errors = editDistance(sent, known, max)
  if (errors <= max) return errors
  const isPart = sent.length >= MIN_PART_LENGTH && (known.startsWith(sent) || known.endsWith(sent))
  return isPart ? max + 1 : Number.POSITIVE_INFINITY
}
