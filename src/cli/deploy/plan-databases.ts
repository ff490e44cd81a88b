// Which databases a deployment uses, what keeps it from using them, and which migrations they lack. Pure.
import { unfinishedRestore } from '../migrations'
import { type ActualState, hasUsers, schemaOf } from './account-state'
import { isShard } from './bindings'
import { type Choice, chooseDatabase } from './choice'
import type { DesiredDatabase, DesiredState } from './desired-state'
import type { Step } from './step'

/** A database, and the one on the account that was chosen for it, whose name it has then. */
export type ChosenDatabase = DesiredDatabase & { choice: Choice }

/** Chooses a database for each binding. */
export const chooseDatabases = (desired: DesiredState, actual: ActualState): ChosenDatabase[] =>
  desired.databases.map((database) => {
    const choice = chooseDatabase(database, desired.worker, actual)
    const chosen = actual.databases.find(({ id }) => id === choice.id)
    return { ...database, name: chosen?.name ?? database.name, choice }
  })

/** Databases that do not belong together, or that this code cannot use. */
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
  // Projects of an empty main database start at 1 again: they would show the events of the former project 1.
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

/** The bookmarks of all databases come before the first migration. */
export function planMigrations(databases: readonly ChosenDatabase[], actual: ActualState): Step[] {
  const existing = databases.filter(({ choice }) => choice.id)
  return [
    ...existing.map(({ binding, name }): Step => ({ do: 'bookmark', binding, name })),
    ...databases.flatMap(({ binding, name, migrations }): Step[] => {
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
