// Finds names of properties and events that a misspelt name may stand for.
import { sql } from 'drizzle-orm'
import { closestTo } from '../../hogql/suggest'
import type { Database } from '../../storage/database'
import type { DefinitionOwner } from './property-type'

/** Maximum names that are looked up, and candidates that are read for each. */
const MAX_NAMES = 50
const MAX_CANDIDATES = 200

export interface DefinedName {
  owner: DefinitionOwner
  name: string
}

type SuggestName = (owner: DefinitionOwner, name: string) => string | undefined

interface NearNames {
  owner: DefinitionOwner
  name: string
  candidates: string
}

/** The statement that reads names that begin with the same two letters, for names without a definition. */
export const selectNearNames = (db: Database, projectId: number, names: readonly DefinedName[]) => {
  const wanted = JSON.stringify(names.slice(0, MAX_NAMES).map(({ owner, name }) => [owner, name]))
  const inProject = sql`d.project_id = ${projectId} AND d.owner = w.value ->> '$[0]'`
  const prefix = sql`substr(w.value ->> '$[1]', 1, 2)`
  return db
    .select({
      owner: sql<DefinitionOwner>`w.value ->> '$[0]'`.as('owner'),
      name: sql<string>`w.value ->> '$[1]'`.as('name'),
      candidates: sql<string>`(SELECT json_group_array(near.name) FROM (
        SELECT d.name FROM property_definitions d
        WHERE ${inProject} AND d.name >= ${prefix} AND d.name < ${prefix} || char(1114111)
        LIMIT ${MAX_CANDIDATES}) near)`.as('candidates'),
    })
    .from(sql`json_each(${wanted}) w`)
    .where(
      sql`NOT EXISTS (SELECT 1 FROM property_definitions d WHERE ${inProject} AND d.name = w.value ->> '$[1]')`,
    )
}

export function suggestionsFrom(rows: readonly NearNames[]): SuggestName {
  const suggested = new Map(
    rows.map(({ owner, name, candidates }) => [
      `${owner} ${name}`,
      closestTo(name, JSON.parse(candidates) as string[]),
    ]),
  )
  return (owner, name) => suggested.get(`${owner} ${name}`)
}
