// Types of properties. Queries convert the text of JSON values to them.
import { sql } from 'drizzle-orm'
import { propertyDefinitions } from '../../../drizzle'
import type { Database } from '../../storage/database'
import type {
  PropertyDefinition,
  PropertyName,
  PropertyOwner,
  PropertyType,
  PropertyTypes,
} from './property-type'

export function propertyTypesFrom(rows: readonly PropertyDefinition[]): PropertyTypes {
  const known = new Map(rows.map(({ owner, name, type }) => [keyOf(owner, name), type]))
  return (owner, name) => known.get(keyOf(owner, name))
}

const keyOf = (owner: PropertyOwner, name: string) => `${owner} ${name}`

/** Selects definitions, for a batch. CROSS JOIN keeps the written order, so that SQLite looks up the rows of the names. */
export const selectDefinitions = (db: Database, projectId: number, names: readonly PropertyName[]) =>
  db
    .select({
      owner: sql<PropertyOwner>`d.owner`.as('owner'),
      name: sql<string>`d.name`.as('name'),
      type: sql<PropertyType>`d.type`.as('type'),
    })
    .from(
      sql`(SELECT DISTINCT value ->> '$[0]' AS owner, value ->> '$[1]' AS name
          FROM json_each(${JSON.stringify(names.map(({ owner, name }) => [owner, name]))})) w
        CROSS JOIN ${propertyDefinitions} d
          ON d.project_id = ${projectId} AND d.owner = w.owner AND d.name = w.name`,
    )
