// Lists values of a property, for suggestions. They come from a sample, so that the work does not grow with the project.
import { eq, and, desc, asc, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { groups, persons } from '../../drizzle'
import type { Project } from '../auth/actor'
import type { Deps } from '../deps'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { digits, searchTerm } from '../http/fields'
import { bytesOf, isWithinBytes, withRunningTotal } from '../storage/byte-page'
import type { Database } from '../storage/database'
import { toStoredTimestamp } from '../timestamps'
import { engineFor } from './engine/select-engine'
import {
  MAX_SAMPLE,
  MAX_VALUE_BYTES,
  MAX_VALUES,
  propertyText,
  readEventValues,
} from './event-reads/event-values'

/** Maximum age in days of the events that are read. */
const EVENT_DAYS = 30

export const PropertyValue = z.object({ name: z.string(), count: z.int() }).meta({ id: 'PropertyValue' })

export const PropertyValueDocs = (): SchemaDocs => ({
  description: 'A value of a property.',
  fields: {
    name: 'The value as text: lists and objects as JSON.',
    count: 'How many of the sample have it.',
  },
  example: { name: 'enterprise', count: 12 },
})

const filters = { key: z.string().min(1), value: searchTerm().default('') }

export const PersonValueQuery = z.object(filters)
export const GroupValueQuery = z.object({ group_type_index: digits(), ...filters })
export const EventValueQuery = z.object({ ...filters, event_name: z.string().optional() })

export const valueParameters = () => ({
  key: { description: 'Name of the property.', example: 'plan' },
  value: 'Text that values contain, case-insensitive for ASCII. At most 200 characters. Default: all values.',
})

type Values = z.output<typeof PropertyValue>[]

/** Reads the newest persons, and lists the most frequent value first. */
export const listPersonValues = (
  db: Database,
  projectId: number,
  query: z.output<typeof PersonValueQuery>,
): Promise<Values> =>
  selectValues(
    db,
    query,
    sql`${withRunningTotal(sql`SELECT persons.id, ${bytesOf(persons.properties)} AS bytes FROM persons
      WHERE ${eq(persons.projectId, projectId)} ORDER BY ${desc(persons.id)} LIMIT ${MAX_SAMPLE}`)}
      CROSS JOIN persons AS owner ON owner.id = picked.id`,
  )

/** Reads a random sample of the groups of a type, and lists the most frequent value first. */
export const listGroupValues = (
  db: Database,
  projectId: number,
  { group_type_index: index, ...query }: z.output<typeof GroupValueQuery>,
): Promise<Values> =>
  selectValues(
    db,
    query,
    sql`${withRunningTotal(sql`SELECT groups.rowid AS id, ${bytesOf(groups.properties)} AS bytes FROM groups
      WHERE ${and(eq(groups.projectId, projectId), eq(groups.typeIndex, index))}
      ORDER BY ${asc(groups.sampleKey)} LIMIT ${MAX_SAMPLE}`)}
      CROSS JOIN groups AS owner ON owner.rowid = picked.id`,
  )

/** @param sample a FROM clause with the tables `picked` and `owner` */
const selectValues = (
  db: Database,
  { key, value }: z.output<typeof PersonValueQuery>,
  sample: SQL,
): Promise<Values> =>
  db
    .select({ name: sql<string>`found.value`.as('name'), count: sql<number>`count(*)`.as('owners') })
    .from(
      sql`(SELECT ${sql.raw(propertyText('property'))} AS value FROM ${sample}
        CROSS JOIN json_each(owner.properties) AS property WHERE ${isWithinBytes()} AND property.key = ${key}) AS found`,
    )
    .where(
      sql`octet_length(found.value) BETWEEN 1 AND ${MAX_VALUE_BYTES} AND instr(lower(found.value), lower(${value})) > 0`,
    )
    .groupBy(sql`found.value`)
    .orderBy(sql`owners DESC, found.value`)
    .limit(MAX_VALUES)

/** Reads the newest events of the last 30 days, and lists the most frequent value first. */
export async function listEventValues(
  deps: Deps,
  project: Project,
  { key, value, event_name: event }: z.output<typeof EventValueQuery>,
): Promise<Values> {
  const from = toStoredTimestamp(new Date(deps.clock.now().getTime() - EVENT_DAYS * 86_400_000))
  return readEventValues(engineFor(deps, project), project.id, { key, value, event, from })
}
