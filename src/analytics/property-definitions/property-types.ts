// The types of properties. Events carry JSON, queries see its text: a definition says what that text is turned into.
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

/**
 * Reads the types of the properties that a query names, in one statement whatever their number.
 * @param wanted may name a property more than once, and properties that do not exist.
 * @returns a look-up that knows the wanted ones only.
 */
export const readPropertyTypes = async (
  db: Database,
  projectId: number,
  wanted: readonly PropertyName[],
): Promise<PropertyTypes> =>
  propertyTypesFrom(wanted.length > 0 ? await selectDefinitions(db, projectId, wanted) : [])

/** A look-up in what `selectDefinitions` gave. */
export function propertyTypesFrom(rows: readonly PropertyDefinition[]): PropertyTypes {
  const known = new Map(rows.map(({ owner, name, type }) => [keyOf(owner, name), type]))
  return (owner, name) => known.get(keyOf(owner, name))
}

const keyOf = (owner: PropertyOwner, name: string) => `${owner} ${name}`

/** The statement behind `readPropertyTypes`, for a batch with others. */
// CROSS JOIN keeps the order in which it is written: from what is wanted to its rows.
export const selectDefinitions = (db: Database, projectId: number, wanted: readonly PropertyName[]) =>
  db
    .select({
      owner: sql<PropertyOwner>`d.owner`.as('owner'),
      name: sql<string>`d.name`.as('name'),
      type: sql<PropertyType>`d.type`.as('type'),
    })
    .from(
      sql`(SELECT DISTINCT value ->> '$[0]' AS owner, value ->> '$[1]' AS name
          FROM json_each(${JSON.stringify(wanted.map(({ owner, name }) => [owner, name]))})) w
        CROSS JOIN ${propertyDefinitions} d
          ON d.project_id = ${projectId} AND d.owner = w.owner AND d.name = w.name`,
    )
