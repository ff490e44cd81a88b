import { and, eq, sql } from 'drizzle-orm'
import { propertyDefinitions } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { recordActivity } from '../../activity/record'
import type { Actor, Project } from '../../auth/actor'
import type { Deps } from '../../deps'
import { invalid, notFound } from '../../errors'
import type { Database } from '../../storage/database'
import { guard } from '../../storage/database'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { toStoredTimestamp } from '../../timestamps'
import type { DefinitionRow } from './definition-record'
import type { DefinitionOwner, PropertyType } from './property-type'

export interface DefinitionChange {
  property_type?: PropertyType
  description?: string
  tags?: readonly string[]
  verified?: boolean
  hidden?: boolean
}

/**
 * @param isOf whether an owner may have this id
 * @throws 404 when the project has no such definition
 */
export async function getDefinition(
  db: Database,
  projectId: number,
  id: string,
  isOf: (owner: DefinitionOwner) => boolean,
): Promise<DefinitionRow> {
  const [row] = await db
    .select()
    .from(propertyDefinitions)
    .where(and(eq(propertyDefinitions.projectId, projectId), eq(propertyDefinitions.id, id.toLowerCase())))
  if (!row || !isOf(row.owner as DefinitionOwner)) throw notFound()
  return row
}

const FIELDS = ['property_type', 'description', 'tags', 'verified', 'hidden'] as const

/**
 * Changes the definition of a property or an event; stored events stay the same.
 * @param isOf as `getDefinition` takes it.
 * @throws 404; 400 for one that would be both hidden and verified.
 */
export async function updateDefinition(
  { deps, actor, project }: { deps: Deps; actor: Actor; project: Project },
  id: string,
  change: DefinitionChange,
  isOf: (owner: DefinitionOwner) => boolean,
): Promise<DefinitionRow> {
  const { db, clock } = deps
  return retryOnConflict(async () => {
    const row = await getDefinition(db, project.id, id, isOf)
    const before = stateOf(row)
    const after = stateAfter(row, change)
    const scope = row.owner === 'event_name' ? 'EventDefinition' : 'PropertyDefinition'
    const changes = diff<Required<DefinitionChange>>(scope, FIELDS, before, after)
    if (changes.length === 0) return row
    const now = clock.now()
    const updated = {
      type: after.property_type,
      description: after.description,
      tags: [...after.tags],
      verified: after.verified,
      hidden: after.hidden,
      updatedAt: toStoredTimestamp(now),
    }
    const isDefinition = and(
      eq(propertyDefinitions.projectId, project.id),
      eq(propertyDefinitions.owner, row.owner),
      eq(propertyDefinitions.name, row.name),
    )!
    const isUnchanged = and(
      isDefinition,
      eq(propertyDefinitions.type, row.type),
      eq(propertyDefinitions.description, row.description),
      eq(propertyDefinitions.tags, row.tags),
      eq(propertyDefinitions.verified, row.verified),
      eq(propertyDefinitions.hidden, row.hidden),
    )
    await db.batch([
      guard(db, sql`EXISTS (SELECT 1 FROM property_definitions WHERE ${isUnchanged})`),
      db.update(propertyDefinitions).set(updated).where(isDefinition),
      recordActivity(deps, now, {
        projectId: project.id,
        actor,
        scope,
        itemId: row.id!,
        verb: 'updated',
        name: row.name,
        changes,
      }),
    ])
    return { ...row, ...updated }
  })
}

const stateOf = ({
  type,
  description,
  tags,
  verified,
  hidden,
}: DefinitionRow): Required<DefinitionChange> => ({
  property_type: type,
  description,
  tags,
  verified,
  hidden,
})

function stateAfter(row: DefinitionRow, change: DefinitionChange): Required<DefinitionChange> {
  if (change.verified && change.hidden) {
    const kind = row.owner === 'event_name' ? 'An event' : 'A property'
    throw invalid('hidden', `${kind} cannot be both hidden and verified`)
  }
  const tags = change.tags?.map((tag) => tag.toLowerCase()).filter((tag) => tag !== '')
  return {
    property_type: change.property_type ?? row.type,
    description: change.description ?? row.description,
    tags: tags ? [...new Set(tags)].sort() : row.tags,
    verified: change.verified ?? (row.verified && !change.hidden),
    hidden: change.hidden ?? (row.hidden && !change.verified),
  }
}
