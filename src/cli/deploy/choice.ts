// Which database and which namespace a deployment uses: those that wrangler.toml names by id, else those that the Worker has, else those of
// the right name. Pure.
import type { Present } from './account-state'
import type { Wanted } from './wanted'

export interface Choice {
  /** Null: to be made. */
  id: string | null
  /** Why nobody can tell which one is meant, and what to do. */
  problem?: string
}

type Known = Pick<Present, 'databases' | 'namespaces' | 'worker'>

/** The database. One that holds a service is never left for another without being told so. */
export function chooseDatabase(
  { worker, database }: Wanted,
  known: Pick<Known, 'databases' | 'worker'>,
): Choice {
  const byId = (id: string) => known.databases.find((one) => one.id === id)
  if (database.id) {
    if (byId(database.id)) return { id: database.id }
    return {
      id: null,
      problem:
        `wrangler.toml names the database ${database.id}, which this account does not have. Correct its \`database_id\`, or take ` +
        'the line out: then the one of the right name is used, or made.',
    }
  }
  const named = known.databases.find(({ name }) => name === database.name)?.id ?? null
  const boundId = known.worker?.databaseId ?? null
  if (!boundId || boundId === named) return { id: named }
  const bound = byId(boundId)
  const had = `The Worker ${worker} has the database ${bound ? `${bound.name} (${boundId})` : boundId}`
  const other = named
    ? `the database ${database.name} (${named}), which it did not have before`
    : 'an empty one'
  return {
    id: named,
    problem: bound
      ? `${had}, and wrangler.toml says ${database.name}. Put \`database_id = "${boundId}"\` there to keep it, or deploy with ` +
        `--new-database to go on with ${other}.`
      : `${had}, which is gone. Deploy with --new-database to go on with ${other}.`,
  }
}

/** The namespace. It holds nothing that is not made again from the database. */
export function chooseNamespace({ namespace }: Wanted, known: Pick<Known, 'namespaces' | 'worker'>): Choice {
  const has = (id: string) => known.namespaces.some((one) => one.id === id)
  if (namespace.id) {
    if (has(namespace.id)) return { id: namespace.id }
    return {
      id: null,
      problem:
        `wrangler.toml names the KV namespace ${namespace.id}, which this account does not have. Correct its \`id\`, or take the ` +
        'line out: then one is found, or made.',
    }
  }
  const bound = known.worker?.namespaceId
  if (bound && has(bound)) return { id: bound }
  return { id: known.namespaces.find(({ title }) => title === namespace.title)?.id ?? null }
}
