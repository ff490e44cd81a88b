import * as z from 'zod'
import { ErrorBody } from '../../http/error-body'
import { boolean, digits, pageQuery, searchTerm } from '../../http/fields'
import { operation } from '../../http/operation'
import { page, pageOf } from '../../http/pagination'
import { totalIn } from '../../storage/count'
import { selectDefinitionPage } from '../property-definition-page'
import { definitionRecord, PropertyDefinitionRecord } from '../property-definition-record'
import type { PropertyOwner } from '../property-type'

const Query = z.object({
  type: z.enum(['event', 'person', 'group']).default('event'),
  group_type_index: digits().optional(),
  search: searchTerm().optional(),
  properties: z.string().optional(),
  is_numerical: boolean().optional(),
  ...pageQuery,
})

export const listPropertyDefinitionsOperation = operation({
  id: 'property_definitions_list',
  method: 'get',
  path: '/api/projects/:project_id/property_definitions/',
  summary: 'List the properties of events, people or groups',
  description: 'The type of a property is learned from the first value that was captured. Sorted by name.',
  scope: 'property_definition:read',
  query: Query,
  responses: { 200: pageOf(PropertyDefinitionRecord), 400: ErrorBody },
  async handle({ deps: { db }, project, query, url }) {
    const [counts, rows] = await db.batch(selectDefinitionPage(db, project.id, query))
    const records = rows.map((row) => definitionRecord({ ...row, owner: row.owner as PropertyOwner }))
    return page(url, query, totalIn(counts), records)
  },
})
