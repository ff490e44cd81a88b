// The file of `npm run export`: a JSON value a line. First what it is, then what an import takes, in order; at the end how many lines there are.
import * as z from 'zod'
import type { JsonObject } from '../../../json'
import { type Item, KINDS, STREAMS } from '../model'

/** Counts up with every change that an older import would read wrongly. */
export const FORMAT = 1

const object = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject)

export const Header = z.object({
  kind: z.literal('halyard_project'),
  format: z.literal(FORMAT),
  exported_at: z.string(),
  source: z.string(),
})

const ItemLine = z.object({
  kind: z.enum(KINDS),
  key: z.string(),
  value: object,
  initial: object.optional(),
  members: z.array(z.string()).optional(),
  note: z.string().optional(),
  problem: z.string().optional(),
})

export const Line = z.union([
  ItemLine,
  z.object({ kind: z.enum(STREAMS), row: object }),
  z.object({ kind: z.literal('end'), lines: z.int() }),
])

export interface FileLine {
  kind: string
  [field: string]: unknown
}

/** Without what belongs to one service. */
export const itemLine = ({ kind, key, value, initial, members, note, problem }: Item): FileLine => ({
  kind,
  key,
  value,
  ...(initial && Object.keys(initial).length > 0 ? { initial } : {}),
  ...(members ? { members } : {}),
  ...(note ? { note } : {}),
  ...(problem ? { problem } : {}),
})

/** @throws naming the line. */
export function parseLine<T extends z.ZodType>(schema: T, text: string, place: string): z.output<T> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error(`${place} is not valid JSON.`)
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new Error(`${place} is no line of an export of format ${FORMAT}: ${z.prettifyError(result.error)}`)
}
