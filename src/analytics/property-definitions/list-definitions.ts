import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { propertyDefinitionCounts, propertyDefinitions } from '../../../drizzle'
import { invalid } from '../../errors'
import { MAX_GROUP_TYPES } from '../../evaluation/groups'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { boolean, digits, pageQuery, searchTerm } from '../../http/fields'
import { page, type PageQuery } from '../../http/pagination'
import { eventRecord, propertyRecord } from './definition-record'

const common = {
  search: searchTerm().optional(),
  verified: boolean().optional(),
  exclude_hidden: boolean().optional(),
  ...pageQuery,
}

export const PropertyQuery = z.object({
  type: z.enum(['event', 'person', 'group']).default('event'),
  group_type_index: digits().optional(),
  properties: z.string().optional(),
  excluded_properties: z.string().optional(),
  is_numerical: boolean().optional(),
  is_feature_flag: boolean().optional(),
  event_names: z.string().optional(),
  filter_by_event_names: boolean().optional(),
  ...common,
})
type PropertyQuery = z.output<typeof PropertyQuery>

export const EventQuery = z.object({ names: z.string().optional(), ...common })
type EventQuery = z.output<typeof EventQuery>

/**
 * Lists a page of definitions of properties, by name.
 * @param url of the request, for the links to other pages
 * @throws 400 for a filter by events, or by an index of group types with another type
 */
export async function listProperties(db: Database, projectId: number, query: PropertyQuery, url: URL) {
  if (query.filter_by_event_names)
    throw invalid(
      'filter_by_event_names',
      'The properties of an event are not stored: list all, or read them with a saved query.',
    )
  const { group_type_index: index } = query
  if (index !== undefined && (query.type !== 'group' || index >= MAX_GROUP_TYPES))
    throw invalid(
      'group_type_index',
      `The index of a group type, from 0 to ${MAX_GROUP_TYPES - 1}, needs type=group.`,
    )
  const { name, type } = propertyDefinitions
  const { is_numerical: isNumerical, is_feature_flag: isOfFlag } = query
  const [total, rows] = await readPage(db, projectId, query, (owner) => ownerIs(query, owner), [
    ...(query.properties === undefined ? [] : [isOneOf(name, query.properties)]),
    ...(query.excluded_properties === undefined
      ? []
      : [sql`NOT ${isOneOf(name, query.excluded_properties)}`]),
    ...(isNumerical === undefined ? [] : [sql`(${type} = 'Numeric') = ${isNumerical ? 1 : 0}`]),
    ...(isOfFlag === undefined ? [] : [sql`(substr(${name}, 1, 9) = '$feature/') = ${isOfFlag ? 1 : 0}`]),
  ])
  return page(url, query, total, rows.map(propertyRecord))
}

/** Lists a page of definitions of events, by name. @param url of the request, for the links to other pages */
export async function listEvents(db: Database, projectId: number, query: EventQuery, url: URL) {
  const [total, rows] = await readPage(
    db,
    projectId,
    query,
    (owner) => eq(owner, 'event_name'),
    query.names === undefined ? [] : [isOneOf(propertyDefinitions.name, query.names)],
  )
  return page(url, query, total, rows.map(eventRecord))
}

async function readPage(
  db: Database,
  projectId: number,
  query: PageQuery & Pick<EventQuery, 'search' | 'verified' | 'exclude_hidden'>,
  isOf: (owner: SQLiteColumn) => SQL,
  conditions: readonly SQL[],
) {
  const filters = [...commonFilters(query), ...conditions]
  const condition = and(
    eq(propertyDefinitions.projectId, projectId),
    isOf(propertyDefinitions.owner),
    ...filters,
  )
  const [counts, rows] = await db.batch([
    filters.length > 0
      ? countOf(db, propertyDefinitions, condition)
      : db
          .select({ total: sql<number>`coalesce(sum(${propertyDefinitionCounts.total}), 0)`.as('total') })
          .from(propertyDefinitionCounts)
          .where(
            and(eq(propertyDefinitionCounts.projectId, projectId), isOf(propertyDefinitionCounts.owner)),
          ),
    db
      .select()
      .from(propertyDefinitions)
      .where(condition)
      .orderBy(propertyDefinitions.name, propertyDefinitions.owner)
      .limit(query.limit)
      .offset(query.offset),
  ])
  return [totalIn(counts), rows] as const
}

function ownerIs({ type, group_type_index: index }: PropertyQuery, owner: SQLiteColumn): SQL {
  if (type !== 'group') return eq(owner, type)
  return index === undefined ? sql`${owner} BETWEEN 'group_0' AND 'group_9'` : eq(owner, `group_${index}`)
}

/** @param list names separated by commas, or a JSON list of them */
function isOneOf(name: SQLiteColumn, list: string): SQL {
  return sql`${name} IN (SELECT value FROM json_each(${JSON.stringify(namesIn(list))}))`
}

function namesIn(list: string): string[] {
  if (list.startsWith('[')) {
    try {
      const parsed = JSON.parse(list) as unknown[]
      return parsed.filter((each) => typeof each === 'string')
    } catch {
      // The text only begins like JSON.
    }
  }
  return list.split(',')
}

function commonFilters({
  search,
  verified,
  exclude_hidden: excludesHidden,
}: Pick<EventQuery, 'search' | 'verified' | 'exclude_hidden'>): SQL[] {
  const { name } = propertyDefinitions
  const words = [...new Set(search?.split(/\s+/).filter(Boolean))]
  return [
    // The words are bound values and not patterns.
    ...(words.length
      ? [
          sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) w WHERE instr(lower(${name}), lower(w.value)) = 0)`,
        ]
      : []),
    ...(verified === undefined ? [] : [eq(propertyDefinitions.verified, verified)]),
    ...(excludesHidden ? [eq(propertyDefinitions.hidden, false)] : []),
  ]
}
