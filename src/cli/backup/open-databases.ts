// The databases of an environment, for a backup and a restore.
import { requireNone } from '../command'
import { openAccount } from '../deploy/account'
import { readActualState } from '../deploy/actual-state'
import type { DesiredState } from '../deploy/desired-state'
import { chooseDatabases } from '../deploy/plan-databases'
import { withLocalDatabases } from '../local/databases'
import type { Target } from './check-target'
import { isRateLimited, withRetries } from '../retry'
import { remoteDatabase, type SqlDatabase } from '../sql-database'

export interface OpenDatabases {
  /** The main database, then the shards. */
  targets: Target[]
  /** Variables and secrets of this machine. */
  vars: Readonly<Record<string, unknown>>
  /** Creates a database that does not exist. */
  create(binding: string): Promise<SqlDatabase>
}

/** Opens those of this machine while `use` runs. */
export const withLocal = <T>(desired: DesiredState, use: (open: OpenDatabases) => Promise<T>): Promise<T> =>
  withLocalDatabases(({ databases, vars }) =>
    use({
      targets: desired.databases.map(({ binding, migrations }) => ({
        binding,
        migrations,
        database: databases.find((one) => one.binding === binding)!,
      })),
      vars,
      create: (binding) => Promise.reject(new Error(`There is no local database ${binding}.`)),
    }),
  )

/**
 * Opens those of the account.
 * @param isNew whether they may be missing, or others than those that the Worker is bound to: a restore fills new ones.
 * @throws PreflightError when it is not clear which databases are meant.
 */
export async function openRemote(
  desired: DesiredState,
  { isNew }: { isNew: boolean },
): Promise<OpenDatabases> {
  const account = await openAccount(desired.accountId, process.env)
  const actual = await readActualState(account, desired)
  const chosen = chooseDatabases(desired, actual)
  const problems = chosen.flatMap(({ id, name, choice }) => {
    if (choice.problem) return isNew && !id ? [] : [choice.problem]
    return choice.id || isNew ? [] : [`There is no D1 database ${name}: there is nothing to back up.`]
  })
  requireNone(problems)
  return {
    targets: chosen.map(({ binding, migrations, choice }) => ({
      binding,
      migrations,
      database: choice.id ? remoteDatabase(binding, choice.id, account) : null,
    })),
    vars: {},
    async create(binding) {
      const { name } = chosen.find((one) => one.binding === binding)!
      const path = `/accounts/${account.id}/d1/database`
      const { uuid } = await withRetries(
        () => account.cloudflare.post<{ uuid: string }>(path, { name }),
        isRateLimited,
      )
      return remoteDatabase(binding, uuid, account)
    },
  }
}
