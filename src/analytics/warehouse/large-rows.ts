// Rows that were too large for the queue, read where they are kept.
import { and, eq, sql } from 'drizzle-orm'
import { events, groups, persons } from '../../../drizzle'
import type { Database } from '../../storage/database'
import type { LargeRow, WarehouseRow } from './message'
import { eventRow, groupRow, personRow } from './rows'

/** The row as it is now; null when it is gone, which another message tells of. */
export async function readLargeRow(db: Database, large: LargeRow): Promise<WarehouseRow | null> {
  switch (large.table) {
    case 'events': {
      const [event] = await selectEvent(db, large)
      return event ? eventRow(large.projectId, event) : null
    }
    case 'persons': {
      const [person] = await selectPerson(db, large)
      return person ? personRow(large.projectId, { ...person, isDeleted: false }) : null
    }
    case 'groups': {
      const [group] = await selectGroup(db, large)
      return group ? groupRow(large.projectId, group) : null
    }
  }
}

const selectEvent = (db: Database, { projectId, key }: LargeRow) =>
  db
    .select({
      uuid: events.uuid,
      event: events.event,
      distinctId: events.distinctId,
      properties: sql<string>`events.properties`.as('properties_text'),
      timestamp: events.timestamp,
      createdAt: events.createdAt,
    })
    .from(events)
    .where(and(eq(events.projectId, projectId), eq(events.uuid, key)))

const selectPerson = (db: Database, { projectId, key }: LargeRow) =>
  db
    .select({
      uuid: persons.uuid,
      properties: sql<string>`persons.properties`.as('properties_text'),
      isIdentified: persons.isIdentified,
      createdAt: persons.createdAt,
      version: persons.version,
    })
    .from(persons)
    .where(and(eq(persons.projectId, projectId), eq(persons.uuid, key)))

const selectGroup = (db: Database, { projectId, key, index }: LargeRow) =>
  db
    .select({
      typeIndex: groups.typeIndex,
      key: groups.key,
      properties: sql<string>`groups.properties`.as('properties_text'),
      createdAt: groups.createdAt,
      version: groups.version,
    })
    .from(groups)
    .where(and(eq(groups.projectId, projectId), eq(groups.typeIndex, index), eq(groups.key, key)))
