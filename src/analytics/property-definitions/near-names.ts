// Names of properties and events that a misspelt name may stand for.
import { sql } from 'drizzle-orm'
import { propertyDefinitions } from '../../../drizzle'
import { closestTo } from '../../hogql/suggest'
import type { Database } from '../../storage/database'
import type { DefinitionOwner } from './property-type'

/** Names that are looked up, and candidates that are read for each. */
const MAX_NAMES = 50
const MAX_CANDIDATES = 200

export interface DefinedName {
  owner: DefinitionOwner
  name: string
}

type SuggestName = (owner: DefinitionOwner, name: string) => string | undefined

/** Suggests names that begin with the same two letters, for names that have no definition. One round trip. */
export async function readNearNames(
  db: Database,
  projectId: number,
  names: readonly DefinedName[],
): Promise<SuggestName> {
  if (names.length === 0) return () => undefined
  const wanted = JSON.stringify(names.slice(0, MAX_NAMES).map(({ owner, name }) => [owner, name]))
  const rows = await db.all<{ owner: DefinitionOwner; name: string; candidates: string }>(
    sql`SELECT w.value ->> '$[0]' AS owner, w.value ->> '$[1]' AS name,
      (SELECT json_group_array(near.name) FROM (SELECT d.name FROM ${propertyDefinitions} d
        WHERE d.project_id = ${projectId} AND d.owner = w.value ->> '$[0]'
          AND d.name >= substr(w.value ->> '$[1]', 1, 2) AND d.name < substr(w.value ->> '$[1]', 1, 2) || char(1114111)
        LIMIT ${MAX_CANDIDATES}) near) AS candidates
      FROM json_each(${wanted}) w
      WHERE NOT EXISTS (SELECT 1 FROM ${propertyDefinitions} d
        WHERE d.project_id = ${projectId} AND d.owner = w.value ->> '$[0]' AND d.name = w.value ->> '$[1]')`,
  )
  const suggested = new Map(
    rows.map(({ owner, name, candidates }) => [
      `${owner} ${name}`,
      closestTo(name, JSON.parse(candidates) as string[]),
    ]),
  )
  return (owner, name) => suggested.get(`${owner} ${name}`)
}
