// The format of the file of `npm run export`: a JSON value a line. The first describes the file, then come the parts of an import, in
// order, and the last has the number of lines.
import * as z from 'zod'
import { initialValues } from '../../flag-fields'
import { parseExactly } from '../../http/body/exact-integers'
import type { JsonObject } from '../../json'
import { type Item, type Kind, KINDS, type Stream, STREAMS } from '../model'

/** Increment this with every change that an older import would read wrongly. */
export const FORMAT = 1

const object = z.record(z.string(), z.unknown()).transform((value) => value as JsonObject)

export const Header = z.object({
  kind: z.literal('halyard_project'),
  format: z.literal(FORMAT),
  exported_at: z.string(),
  source: z.string(),
})

const texts = z.array(z.string()).default([])
const flag = (value: boolean) => z.boolean().default(value)

const marks = {
  description: z.string().default(''),
  tags: texts,
  verified: flag(false),
  hidden: flag(false),
}

/** The schema of a field of a flag, of the kind of its initial value. */
function fieldOf([name, initial]: [string, unknown]): [string, z.ZodType] {
  if (typeof initial === 'boolean') return [name, flag(initial)]
  if (typeof initial === 'string') return [name, z.string().default(initial)]
  if (Array.isArray(initial)) return [name, texts]
  return [name, initial === null ? z.unknown().default(null) : object.default(initial as JsonObject)]
}

/** Schemas of values. A member that is left out has the default of a new item. */
const VALUES = {
  group_type: z.strictObject({}),
  event_definition: z.strictObject(marks),
  property_definition: z.strictObject({ ...marks, property_type: z.string().nullable().default(null) }),
  variable: z.strictObject({
    name: z.string(),
    type: z.string(),
    default_value: z.unknown().default(null),
    values: z.array(z.unknown()).nullable().default(null),
  }),
  cohort: z.strictObject({
    name: z.string(),
    description: z.string().default(''),
    is_static: flag(false),
    filters: object.nullable().default(null),
  }),
  flag: z.strictObject(Object.fromEntries(Object.entries(initialValues('import')).map(fieldOf))),
  query: z.strictObject({
    is_active: flag(true),
    tags: texts,
    derived_from_insight: z.string().nullable().default(null),
    versions: z
      .array(
        z.strictObject({
          query: object,
          description: z.string().default(''),
          data_freshness_seconds: z.int().default(86_400),
          is_active: flag(true),
          is_materialized: flag(false),
          optional_breakdown_properties: texts,
          bucket_overrides: object.nullable().default(null),
        }),
      )
      .min(1),
  }),
  dashboard: z.strictObject({
    name: z.string().default(''),
    description: z.string().default(''),
    filters: object.default({ date_from: null, date_to: null }),
    tiles: z.array(z.strictObject({ endpoint: z.string(), layouts: object.default({}) })).default([]),
    flags: texts,
  }),
  scheduled_change: z.strictObject({
    flag: z.string(),
    payload: object,
    scheduled_at: z.string(),
    is_recurring: flag(false),
    recurrence_interval: z.string().nullable().default(null),
    end_date: z.string().nullable().default(null),
  }),
  webhook: z.strictObject({ url: z.string(), description: z.string().default(''), events: texts }),
  project: z.strictObject({
    timezone: z.string().default('UTC'),
    require_evaluation_contexts: flag(false),
  }),
  approval_policy: z.strictObject({
    conditions: object.default({}),
    quorum: z.int().default(1),
    approvers: texts,
    allow_self_approve: flag(false),
    bypass_org_membership_levels: z.array(z.int()).default([]),
    expires_after: z.string().default('14 00:00:00'),
    enabled: flag(true),
  }),
} satisfies Record<Kind, z.ZodType>

const createdAt = z.string().nullable().default(null)

/** Schemas of rows. */
const ROWS = {
  person: z.strictObject({
    distinct_ids: z.array(z.string()),
    properties: object.default({}),
    created_at: createdAt,
  }),
  group: z.strictObject({
    group_type: z.string(),
    group_key: z.string(),
    properties: object.default({}),
    created_at: createdAt,
  }),
  event: z.strictObject({
    uuid: z.string(),
    event: z.string(),
    distinct_id: z.string(),
    timestamp: z.string(),
    properties: object.default({}),
  }),
} satisfies Record<Stream, z.ZodType>

/** Replaces a member of a line by what its schema makes of it. */
const parsed = (
  schema: z.ZodType,
  value: JsonObject,
  member: string,
  context: z.RefinementCtx,
): JsonObject => {
  const result = schema.safeParse(value)
  if (result.success) return result.data as JsonObject
  for (const { path, message } of result.error.issues)
    context.addIssue({ code: 'custom', path: [member, ...path], message })
  return z.NEVER
}

const ItemLine = z
  .strictObject({
    kind: z.enum(KINDS),
    key: z.string(),
    value: object,
    initial: object.optional(),
    members: z.array(z.string()).optional(),
    note: z.string().optional(),
    problem: z.string().optional(),
  })
  .transform((line, context) => ({
    ...line,
    value: parsed(VALUES[line.kind], line.value, 'value', context),
  }))

const RowLine = z
  .strictObject({ kind: z.enum(STREAMS), row: object })
  .transform((line, context) => ({ ...line, row: parsed(ROWS[line.kind], line.row, 'row', context) }))

export const Line = z.discriminatedUnion('kind', [
  ItemLine,
  RowLine,
  z.strictObject({ kind: z.literal('end'), lines: z.int() }),
])

export interface FileLine {
  kind: string
  [field: string]: unknown
}

/** Returns the line of an item, without members that belong to one service. */
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
    value = parseExactly(text)
  } catch {
    throw new Error(`${place} is not valid JSON.`)
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const { path, message } = result.error.issues[0]!
  const at = path.length > 0 ? `${path.join('.')}: ` : ''
  throw new Error(`${place} is no line of an export of format ${FORMAT}: ${at}${message}`)
}
