// Which databases and which namespace a deployment uses: those that wrangler.toml names by id, else those that the Worker is bound to, else
// those of the right name. Pure.
import type { ActualState } from './account-state'
import type { DesiredDatabase, DesiredState } from './desired-state'

export interface Choice {
  /** Null: to be created. */
  id: string | null
  /** Why the choice is ambiguous, and what to do. */
  problem?: string
}

type Known = Pick<ActualState, 'databases' | 'namespaces' | 'worker'>

/** Chooses a database. One that is in use is only left when the operator asks for it. */
export function chooseDatabase(
  { binding, name, id }: DesiredDatabase,
  worker: string,
  known: Pick<Known, 'databases' | 'worker'>,
): Choice {
  const byId = (one: string) => known.databases.find((database) => database.id === one)
  if (id) {
    if (byId(id)) return { id }
    return {
      id: null,
      problem:
        `wrangler.toml names the database ${id} for ${binding}, which this account does not have. Correct its \`database_id\`, or ` +
        `remove the line: then the database of the right name is used, or created.`,
    }
  }
  const named = known.databases.find((database) => database.name === name)?.id ?? null
  const boundId = known.worker?.databaseIds[binding] ?? null
  if (!boundId || boundId === named) return { id: named }
  const bound = byId(boundId)
  const current = `The Worker ${worker} is bound to ${binding} = ${bound ? `${bound.name} (${boundId})` : boundId}`
  const other = named ? `the existing database ${name} (${named})` : 'a new, empty one'
  return {
    id: named,
    problem: bound
      ? `${current}, and wrangler.toml names ${name}. Add \`database_id = "${boundId}"\` there to keep it, or deploy with ` +
        `--new-database to use ${other}.`
      : `${current}, which no longer exists. Deploy with --new-database to use ${other}.`,
  }
}

/** Chooses the namespace. Everything in it can be rebuilt from the main database. */
export function chooseNamespace(
  { namespace }: DesiredState,
  known: Pick<Known, 'namespaces' | 'worker'>,
): Choice {
  const exists = (id: string) => known.namespaces.some((one) => one.id === id)
  if (namespace.id) {
    if (exists(namespace.id)) return { id: namespace.id }
    return {
      id: null,
      problem:
        `wrangler.toml names the KV namespace ${namespace.id}, which this account does not have. Correct its \`id\`, or remove the ` +
        'line: then one is found, or created.',
    }
  }
  const bound = known.worker?.namespaceId
  if (bound && exists(bound)) return { id: bound }
  return { id: known.namespaces.find(({ title }) => title === namespace.title)?.id ?? null }
}
