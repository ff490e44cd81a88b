import { and, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { propertyDefinitions } from '../../../drizzle'
import { ErrorBody } from '../../http/error-body'
import { boolean, digits, pageQuery } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { definitionRecord, PropertyDefinitionRecord } from '../property-definition-record'
import type { PropertyOwner } from '../property-type'

const Query = z.object({
  type: z.enum(['event', 'person', 'group']).default('event'),
  group_type_index: digits().optional(),
  search: z.string().max(1000).optional(),
  properties: z.string().optional(),
  is_numerical: boolean().optional(),
  ...pageQuery,
})

export const listPropertyDefinitions = operation({
  id: 'property_definitions_list',
  method: 'get',
  path: '/api/projects/:project_id/property_definitions/',
  summary: 'List the properties of events, people or groups',
  description: 'The type of a property is learned from the first value that was captured. Sorted by name.',
  scope: 'property_definition:read',
  query: Query,
  responses: { 200: pageOf(PropertyDefinitionRecord), 400: ErrorBody },
  async handle({ deps: { db }, project, query, url }) {
    const { limit, offset } = query
    const condition = and(eq(propertyDefinitions.projectId, project.id), ...conditionsOf(query))
    const [counts, rows] = await db.batch([
      db
        .select({ total: sql<number>`count(*)`.as('total') })
        .from(propertyDefinitions)
        .where(condition),
      db
        .select()
        .from(propertyDefinitions)
        .where(condition)
        .orderBy(propertyDefinitions.name, propertyDefinitions.owner)
        .limit(limit)
        .offset(offset),
    ])
    const records = rows.map((row) => definitionRecord({ ...row, owner: row.owner as PropertyOwner }))
    return page(url, { limit, offset }, counts[0]?.total ?? 0, records)
  },
})

function conditionsOf(query: z.output<typeof Query>): SQL[] {
  const { owner, name, type } = propertyDefinitions
  const words = query.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  const names = query.properties?.split(',')
  return [
    query.type !== 'group'
      ? eq(owner, query.type)
      : query.group_type_index !== undefined
        ? eq(owner, `group_${query.group_type_index}`)
        : sql`${owner} BETWEEN 'group_0' AND 'group_9'`,
    // A word is a bound value, never a pattern.
    ...(words.length
      ? [
          sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(words)}) w WHERE instr(lower(${name}), w.value) = 0)`,
        ]
      : []),
    ...(names ? [sql`${name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`] : []),
    ...(query.is_numerical === undefined ? [] : [sql`(${type} = 'Numeric') = ${query.is_numerical ? 1 : 0}`]),
  ]
}
