import { and, eq, sql } from 'drizzle-orm'
import type * as z from 'zod'
import { propertyDefinitions } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { notFound } from '../../errors'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { definitionRecord, type PropertyDefinitionRecord, parseDefinitionId } from './definition-record'
import type { PropertyType } from './property-type'

/**
 * Changes the type of a property; stored events stay the same.
 * @param newType absent: the type stays
 * @throws 404 when the project has no such property
 */
export async function correctType(
  { deps, actor, project }: { deps: Deps; actor: Actor; project: Project },
  id: string,
  newType: PropertyType | undefined,
): Promise<z.output<typeof PropertyDefinitionRecord>> {
  const { db, clock } = deps
  const property = parseDefinitionId(id)
  if (!property) throw notFound()
  const isProperty = and(
    eq(propertyDefinitions.projectId, project.id),
    eq(propertyDefinitions.owner, property.owner),
    eq(propertyDefinitions.name, property.name),
  )
  return retryOnConflict(async () => {
    const [row] = await db.select().from(propertyDefinitions).where(isProperty)
    if (!row) throw notFound()
    const type = newType ?? row.type
    const record = definitionRecord({ ...property, type })
    const before = { property_type: row.type }
    const changes = diff('PropertyDefinition', ['property_type'], before, { property_type: type })
    if (changes.length === 0) return record
    await db.batch([
      guard(db, sql`EXISTS (SELECT 1 FROM property_definitions WHERE ${isProperty} AND type = ${row.type})`),
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
}
