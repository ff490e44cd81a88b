import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import * as z from 'zod'
import { propertyDefinitionCounts, propertyDefinitions } from '../../../drizzle'
import { countOf, totalIn } from '../../storage/count'
import type { Database } from '../../storage/database'
import { boolean, digits, pageQuery, searchTerm } from '../../http/fields'
import { page } from '../../http/pagination'
import { definitionRecord } from './definition-record'
import type { PropertyOwner } from './property-type'

export const DefinitionQuery = z.object({
  type: z.enum(['event', 'person', 'group']).default('event'),
  group_type_index: digits().optional(),
  search: searchTerm().optional(),
  properties: z.string().optional(),
  is_numerical: boolean().optional(),
  ...pageQuery,
})

type DefinitionQuery = z.output<typeof DefinitionQuery>

/** A page of definitions, by name. @param url of the request, for the links to other pages. */
export async function listDefinitions(db: Database, projectId: number, query: DefinitionQuery, url: URL) {
  const [counts, rows] = await db.batch(selectDefinitionPage(db, projectId, query))
  const records = rows.map((row) => definitionRecord({ ...row, owner: row.owner as PropertyOwner }))
  return page(url, query, totalIn(counts), records)
}

function selectDefinitionPage(db: Database, projectId: number, query: DefinitionQuery) {
  const owner = ownerIs(query, propertyDefinitions.owner)
  const filters = filtersOf(query)
  const condition = and(eq(propertyDefinitions.projectId, projectId), owner, ...filters)
  return [
    filters.length > 0
      ? countOf(db, propertyDefinitions, condition)
      : db
          .select({ total: sql<number>`coalesce(sum(${propertyDefinitionCounts.total}), 0)`.as('total') })
          .from(propertyDefinitionCounts)
          .where(
            and(
              eq(propertyDefinitionCounts.projectId, projectId),
              ownerIs(query, propertyDefinitionCounts.owner),
            ),
          ),
    db
      .select()
      .from(propertyDefinitions)
      .where(condition)
      .orderBy(propertyDefinitions.name, propertyDefinitions.owner)
      .limit(query.limit)
      .offset(query.offset),
  ] as const
}

function ownerIs({ type, group_type_index: index }: DefinitionQuery, owner: SQLiteColumn): SQL {
  if (type !== 'group') return eq(owner, type)
  return index === undefined ? sql`${owner} BETWEEN 'group_0' AND 'group_9'` : eq(owner, `group_${index}`)
}

function filtersOf(query: DefinitionQuery): SQL[] {
  const { name, type } = propertyDefinitions
  const words = [...new Set(query.search?.toLowerCase().split(/\s+/).filter(Boolean))]
  const names = query.properties?.split(',')
  return [
    // Words are bound values, not patterns.
    ...(words.length
      ? [
          sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) w WHERE instr(lower(${name}), w.value) = 0)`,
        ]
      : []),
    ...(names ? [sql`${name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`] : []),
    ...(query.is_numerical === undefined ? [] : [sql`(${type} = 'Numeric') = ${query.is_numerical ? 1 : 0}`]),
  ]
}
