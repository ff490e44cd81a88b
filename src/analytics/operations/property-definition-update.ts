import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { propertyDefinitions } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import { notFound } from '../../errors'
import { ErrorBody } from '../../http/error-body'
import { operation } from '../../http/operation'
import { guard } from '../../storage/database'
import { optimistically } from '../../storage/optimistic'
import { definitionRecord, PropertyDefinitionRecord, propertyNamed } from '../property-definition-record'
import { PROPERTY_TYPES } from '../property-type'

export const updatePropertyDefinition = operation({
  id: 'property_definitions_partial_update',
  method: 'patch',
  path: '/api/projects/:project_id/property_definitions/:id/',
  summary: 'Correct the type of a property',
  description:
    'For a property whose first value was not like the others. Events stay as they are: only what queries make of them changes.',
  scope: 'property_definition:write',
  params: z.object({ id: z.string() }),
  body: z.object({ property_type: z.enum(PROPERTY_TYPES).optional() }),
  responses: { 200: PropertyDefinitionRecord, 400: ErrorBody, 404: ErrorBody },
  async handle({ deps, actor, project, params, body }) {
    const { db, clock } = deps
    const property = propertyNamed(params.id)
    if (!property) throw notFound()
    const isProperty = and(
      eq(propertyDefinitions.projectId, project.id),
      eq(propertyDefinitions.owner, property.owner),
      eq(propertyDefinitions.name, property.name),
    )
    return optimistically(async () => {
      const [row] = await db.select().from(propertyDefinitions).where(isProperty)
      if (!row) throw notFound()
      const type = body.property_type ?? row.type
      const record = definitionRecord({ ...property, type })
      const before = { property_type: row.type }
      const changes = diff('PropertyDefinition', ['property_type'], before, { property_type: type })
      if (changes.length === 0) return record
      await db.batch([
        guard(
          db,
          sql`EXISTS (SELECT 1 FROM property_definitions WHERE ${isProperty} AND type = ${row.type})`,
        ),
        db.update(propertyDefinitions).set({ type }).where(isProperty),
        recordActivity(deps, clock.now(), {
          projectId: project.id,
          actor,
          scope: 'PropertyDefinition',
          itemId: record.id,
          verb: 'updated',
          name: property.name,
          changes,
        }),
      ])
      return record
    })
  },
})
