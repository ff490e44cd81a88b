// Decides which databases and which KV namespace a deployment uses: those that wrangler.toml names by id, else those to which the Worker is
// bound, else those of the right name. It also finds missing migrations, and reasons why a database cannot be used. The functions are pure.
import { unfinishedRestore } from '../migrations'
import { type ActualState, hasUsers, schemaOf } from './account-state'
import { isShard } from './bindings'
import type { DesiredDatabase, DesiredState } from './desired-state'
import type { DeployStep } from './step'

export interface Choice {
  /** The id, or null for a database that is to be created. */
  id: string | null
  /** Why the choice is ambiguous, and what to do. */
  problem?: string
}

type Known = Pick<ActualState, 'databases' | 'namespaces' | 'worker'>

/** Chooses a database. One that is in use is only replaced when the operator asks for it. */
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

/** A database, and the account's database that was chosen for it, which determines its name. */
export type ChosenDatabase = DesiredDatabase & { choice: Choice }

export const chooseDatabases = (desired: DesiredState, actual: ActualState): ChosenDatabase[] =>
  desired.databases.map((database) => {
    const choice = chooseDatabase(database, desired.worker, actual)
    const chosen = actual.databases.find(({ id }) => id === choice.id)
    return { ...database, name: chosen?.name ?? database.name, choice }
  })

export function schemaProblems(databases: readonly ChosenDatabase[], actual: ActualState): string[] {
  const problems = databases.flatMap(({ binding, name }) => {
    const { missingTables, isRestoring } = schemaOf(actual, binding)
    if (isRestoring) return [unfinishedRestore(name)]
    return missingTables.length > 0
      ? [
          `The database ${name} was made by an earlier version with other migrations: it has no table ${missingTables.join(', ')}. It ` +
            `cannot be upgraded. Give ${binding} another \`database_name\` in wrangler.toml, and deploy with --new-database.`,
        ]
      : []
  })
  for (const shard of actual.usedShards) {
    if (databases.some(({ binding }) => binding === shard)) continue
    problems.push(
      `Projects have their events in ${shard}, which wrangler.toml does not bind. Add it to \`d1_databases\` again.`,
    )
  }
  // Projects of an empty main database start at 1 again, and would show the events of the former project 1.
  const used = databases.filter(({ binding }) => isShard(binding) && schemaOf(actual, binding).isInUse)
  if (used.length > 0 && !hasUsers(actual)) {
    const names = used.map(({ binding, name }) => `${binding} (${name})`).join(', ')
    problems.push(
      `The main database is empty, and ${names} holds events of another one, which new projects would show. Restore the main ` +
        'database, or give each of these shards another `database_name` in wrangler.toml, and deploy with --new-database.',
    )
  }
  return problems
}

/** Plans the migrations. The bookmarks of all databases come before the first migration. */
export function planMigrations(databases: readonly ChosenDatabase[], actual: ActualState): DeployStep[] {
  const existing = databases.filter(({ choice }) => choice.id)
  return [
    ...existing.map(({ binding, name }): DeployStep => ({ do: 'bookmark', binding, name })),
    ...databases.flatMap(({ binding, name, migrations }): DeployStep[] => {
      const { applied } = schemaOf(actual, binding)
      const files = migrations.map(({ file }) => file)
      const pending = files.filter((file) => !applied.includes(file))
      const newer = applied.filter((file) => !files.includes(file))
      return [
        pending.length > 0
          ? { do: 'migrate', binding, name, files: pending }
          : { do: 'keep', what: `the schema of ${name}: every migration is applied` },
        ...(newer.length > 0
          ? [
              {
                do: 'keep',
                what: `migrations of ${name} that are newer than this code: ${newer.join(', ')}`,
              } as const,
            ]
          : []),
      ]
    }),
  ]
}
