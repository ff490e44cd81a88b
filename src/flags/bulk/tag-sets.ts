// The new tags of a flag, as SQL. The database computes every set, so that no tag of a concurrent caller is lost.
import { type SQL, sql } from 'drizzle-orm'

export type TagAction = 'add' | 'remove' | 'set'

/** For each action, which tags of the flag stay, and whether the sent ones are added. */
const RULES = {
  add: { stay: 'all', joins: true },
  remove: { stay: 'others', joins: false },
  set: { stay: 'sent', joins: true },
} as const satisfies Record<TagAction, { stay: 'all' | 'others' | 'sent'; joins: boolean }>

/** SQL of a sorted set of names, as JSON text. */
const sorted = (names: SQL): SQL => sql`(SELECT json_group_array(name ORDER BY name) FROM (${names}))`

const OWN = sql`SELECT t.name FROM flag_tags t WHERE t.flag_id = feature_flags.id`

/** SQL of the tags of `feature_flags`, as JSON text. */
export const TAGS = sorted(OWN)

interface TagSets {
  /** SQL of the tags that `feature_flags` will have, as JSON text. */
  after: SQL
  /** SQL condition: the tag of this name is removed. It is null when none is. */
  goes(name: SQL): SQL | null
  /** SQL of the names that are added, as rows `sent.value`. It is null when none is. */
  joining: SQL | null
}

export function tagSets(action: TagAction, names: readonly string[]): TagSets {
  const { stay, joins } = RULES[action]
  const sent = sql`json_each(${JSON.stringify(names)}) sent`
  const isSent = (name: SQL) => sql`${name} IN (SELECT sent.value FROM ${sent})`

  function goes(name: SQL): SQL | null {
    switch (stay) {
      case 'all':
        return null
      case 'others':
        return isSent(name)
      case 'sent':
        return sql`NOT ${isSent(name)}`
    }
  }

  const gone = goes(sql`t.name`)
  const staying = gone ? sql`${OWN} AND NOT (${gone})` : OWN
  return {
    after: sorted(joins ? sql`${staying} UNION SELECT sent.value FROM ${sent}` : staying),
    goes,
    joining: joins ? sent : null,
  }
}
