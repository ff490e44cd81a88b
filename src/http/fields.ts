// Fields of bodies and queries, with the coercions of this API: "true" is a boolean, and 5 is valid text.
import * as z from 'zod'
import { isLongerThan } from '../characters'
import { parseTimestamp } from '../timestamps'

/** Returns the spellings of words, such as `yes`, `Yes` and `YES`. */
const spellings = (words: string[]) =>
  words.flatMap((word) => [word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])

const TRUE = new Set<unknown>([true, 1, '1', ...spellings(['t', 'true', 'y', 'yes', 'on'])])
const FALSE = new Set<unknown>([false, 0, '0', ...spellings(['f', 'false', 'n', 'no', 'off'])])

/** Returns the boolean that a value is, or for which it is a word, and null for any other value. */
export function booleanOf(value: unknown): boolean | null {
  if (TRUE.has(value)) return true
  return FALSE.has(value) ? false : null
}

/** Accepts a boolean, or one of the words for it. */
export const boolean = () => z.preprocess((value) => booleanOf(value) ?? value, z.boolean())

/** Accepts only what a new object has anyway: false. A create body has it for a field that only updates can set. */
export const falseOnCreate = (error: string) =>
  boolean()
    .refine((value) => !value, { error })
    .optional()

/**
 * Accepts text, which is trimmed; a number becomes its text. It rejects blank text unless `blank`, U+0000, which ends text in SQLite, and
 * lone surrogates, which UTF-8 does not have.
 */
export const text = ({ max, blank = false }: { max?: number; blank?: boolean } = {}) => {
  let schema = z.string()
  if (!blank) schema = schema.min(1)
  if (max !== undefined) schema = noLongerThan(schema, max)
  return z.preprocess(
    (value) => {
      if (typeof value === 'number') return String(value)
      return typeof value === 'string' ? value.trim() : value
    },
    schema
      .refine((value) => !value.includes('\0'), {
        error: 'Null characters are not allowed.',
        params: { code: 'null_characters_not_allowed' },
      })
      .refine((value) => value.isWellFormed(), {
        error: ({ input }) => `Surrogate characters are not allowed: ${halfIn(String(input))}.`,
        params: { code: 'surrogate_characters_not_allowed' },
      }),
  )
}

/** Limits code points, as JSON Schema does; zod's own `max` counts UTF-16 units. */
const noLongerThan = (schema: z.ZodString, max: number) =>
  schema
    .refine((value) => !isLongerThan(value, max), {
      error: `Ensure this field has no more than ${max} characters.`,
      params: { code: 'max_length' },
      abort: true,
    })
    .meta({ maxLength: max })

/** The most characters of a search term. SQLite's `instr()` takes at worst the length of the text times that of the term. */
export const MAX_SEARCH_LENGTH = 200

/** Accepts the term of a search, which is not trimmed. */
export const searchTerm = () => noLongerThan(z.string(), MAX_SEARCH_LENGTH)

/** Returns the first lone surrogate, as code points are written. */
function halfIn(value: string): string {
  const half = [...value].find((char) => !char.isWellFormed()) ?? ''
  return `U+${half.charCodeAt(0).toString(16).toUpperCase()}`
}

const INTEGER = /^\s*[+-]?\d{1,15}\s*$/

/** Parses an integer or its digits, or null for other values. */
export function integerIn(value: unknown): number | null {
  if (typeof value === 'string') return INTEGER.test(value) ? Number(value) : null
  return Number.isSafeInteger(value) ? (value as number) : null
}

/** Accepts an integer, or its digits. */
export const integer = ({ min, max }: { min?: number; max?: number } = {}) => {
  let schema = z.int()
  if (min !== undefined) schema = schema.min(min)
  if (max !== undefined) schema = schema.max(max)
  return fromDigits(schema)
}

/** Accepts one of some integers, or its digits. */
export const integerOf = <Value extends number>(values: readonly Value[]) => fromDigits(z.literal(values))

const fromDigits = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => integerIn(value) ?? value, schema)

/** Parses an id in decimal digits. Other text becomes -1, which is never assigned. */
export const idIn = (written: string): number => (/^\d{1,15}$/.test(written) ? Number(written) : -1)

/** Returns fields with the defaults that the code applies when they are omitted, for the document. */
export const withDocumentedDefaults = <Shape extends z.ZodRawShape>(
  fields: Shape,
  defaults: Readonly<Partial<Record<keyof Shape, unknown>>>,
): Shape => ({
  ...fields,
  ...Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => {
      const field = fields[name] as unknown as z.ZodType
      return [name, field.meta({ ...field.meta(), default: value })]
    }),
  ),
})

/** Accepts a path segment of decimal digits, not `1.0` or `1e0`. */
export const digits = ({ min = 0 }: { min?: number } = {}) =>
  z.preprocess(
    (segment) => (/^\d{1,15}$/.test(String(segment)) ? Number(segment) : segment),
    z.int().min(min),
  )

/** Accepts a path segment that is a row's id. */
export const id = () => digits({ min: 1 })

/** Accepts an ISO 8601 timestamp, and converts it to the stored form. A date alone is its first instant. */
export const timestamp = () => timestampBy(parseTimestamp)

/** Accepts the end of a period, which a date alone contains: it is the last instant of that day in UTC. */
export const endTimestamp = () =>
  timestampBy((value) =>
    parseTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T23:59:59.999999Z` : value),
  )

const timestampBy = (parse: typeof parseTimestamp) =>
  z
    .string()
    .refine((value) => parse(value) !== null, {
      error:
        'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].',
    })
    .transform((value) => parse(value)!)
    .meta({ type: 'string', format: 'date-time' })

/** The schema of a timestamp in a response. */
export const dateTime = () => z.string().meta({ format: 'date-time' })

/** Accepts any JSON object. */
export const dictionary = () => z.record(z.string(), z.unknown())

/** Parses decimal digits. Other text becomes NaN. */
const numberIn = (value: unknown) => (/^\s*\+?\d+\s*$/.test(String(value)) ? Number(value) : Number.NaN)

const limitFrom = (value: unknown) => {
  const limit = numberIn(value)
  return limit > 0 ? Math.min(limit, 1000) : 100
}
const offsetFrom = (value: unknown) => {
  const offset = numberIn(value)
  return offset >= 0 ? Math.min(offset, Number.MAX_SAFE_INTEGER) : 0
}

/** `limit` and `offset` of lists. No value is an error, and a page has at most 1,000 rows. */
export const pageQuery = {
  limit: z
    .preprocess(limitFrom, z.int().min(1).max(1000))
    .meta({ description: 'At most 1,000 rows a page. Anything else counts as 100.', default: 100 }),
  offset: z
    .preprocess(offsetFrom, z.int().min(0))
    .meta({ description: 'Rows to skip. Anything else counts as 0.', default: 0 }),
}
