// Whether the target can run the SQL of saved queries, checked before anything is written.
import { isObject, type JsonValue } from '../json'
import type { Client } from './client'
import { fingerprintOf } from './fingerprint'
import { type Item, numberedVersions } from './model'
import type { Step } from './plan'

/** Matches queries with variables or cohorts, which may not exist yet. Such a query is checked when it is written. */
const NEEDS_OTHERS = /\{|\bCOHORT\b/i

/** Why the target rejects versions of a query, by their numbers. */
export type Rejections = ReadonlyMap<number, string>

/**
 * Returns the versions that the target rejects, by key.
 * @param steps of a plan: only those that would be written are checked
 * @param known results of earlier checks by text, to which new ones are added
 */
export async function checkQueries(
  client: Client,
  project: string,
  steps: readonly Step[],
  known: Map<string, string | null>,
): Promise<Map<string, Rejections>> {
  const checked = new Map<string, Rejections>()
  for (const { item, action } of steps) {
    if (item.kind !== 'query' || (action !== 'create' && action !== 'update')) continue
    const rejections = new Map<number, string>()
    for (const { number, version } of numberedVersions(item)) {
      const rejection = await rejectionOf(client, project, version.query!, known)
      if (rejection !== null) rejections.set(number, rejection)
    }
    if (rejections.size > 0) checked.set(item.key, rejections)
  }
  return checked
}

/** Returns an item without its rejected versions. When the current one is rejected, that is a problem of the item. */
export function withoutRejected(item: Item, rejections: Rejections): Item {
  const versions = numberedVersions(item)
  const current = rejections.get(versions.at(-1)!.number)
  if (current !== undefined) return { ...item, problem: current }
  const kept = versions.filter(({ number }) => !rejections.has(number))
  return {
    ...item,
    value: { ...item.value, versions: kept.map(({ version }) => version) },
    initial: { ...item.initial, numbers: kept.map(({ number }) => number) },
    changes: [
      ...item.changes,
      ...[...rejections].map(([number, reason]) => `version ${number} is left out: ${reason}`),
    ],
  }
}

async function rejectionOf(
  client: Client,
  project: string,
  query: JsonValue,
  known: Map<string, string | null>,
): Promise<string | null> {
  const sql = sqlIn(query)
  if (sql === null || NEEDS_OTHERS.test(sql)) return null
  const id = fingerprintOf(sql)
  if (!known.has(id)) {
    const { errors } = await client.repeatable<{ errors?: { message: string }[] }>(`${project}query/`, {
      query: { kind: 'HogQLMetadata', language: 'hogQL', query: sql },
    })
    known.set(id, errors?.[0]?.message ?? null)
  }
  return known.get(id)!
}

const sqlIn = (query: JsonValue): string | null => {
  if (!isObject(query)) return null
  if (query.kind === 'HogQLQuery' && typeof query.query === 'string') return query.query
  return isObject(query.source) ? sqlIn(query.source) : null
}
