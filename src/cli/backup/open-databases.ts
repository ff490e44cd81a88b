// The databases of an environment, for a backup and a restore.
import { requireNone } from '../command'
import { openAccount } from '../deploy/account'
import { readActualState } from '../deploy/actual-state'
import type { DesiredState } from '../deploy/desired-state'
import { chooseDatabases } from '../deploy/plan-databases'
import { onExit } from '../exit-cleanup'
import { withLocalDatabases } from '../local/databases'
import { acquireLock } from '../serve/lock'
import type { Target } from './check-target'
import { isRateLimited, withRetries } from '../deploy/cloudflare'
import { remoteDatabase, type SqlDatabase } from '../sql-database'

export interface OpenDatabases {
  /** The main database, then the shards. */
  targets: Target[]
  /** Variables and secrets of this machine. */
  vars: Readonly<Record<string, unknown>>
  /** Creates a database that does not exist. */
  create(binding: string): Promise<SqlDatabase>
}

export interface OpenOptions {
  /** Whether to open the account's databases, instead of those of this machine. */
  remote: boolean
  /** Whether the account's databases may be missing, or differ from those that the Worker is bound to, because a restore fills new ones. */
  isNew?: boolean
  /** The command that takes the lock of this machine's databases. */
  command: string
}

/**
 * Opens the databases while `use` runs.
 * @throws PreflightError when it is not clear which databases of the account are meant
 */
export async function withDatabases<T>(
  desired: DesiredState,
  { remote, isNew = false, command }: OpenOptions,
  use: (open: OpenDatabases) => Promise<T>,
): Promise<T> {
  if (remote) return use(await openRemote(desired, isNew))
  onExit(acquireLock(command).release)
  return withLocalDatabases(({ databases, vars }) =>
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
}

async function openRemote(desired: DesiredState, isNew: boolean): Promise<OpenDatabases> {
  const account = await openAccount(desired.accountId, process.env)
  const actual = await readActualState(account, desired)
  const chosen = chooseDatabases(desired, actual)
  requireNone(
    chosen.flatMap(({ id, name, choice }) => {
      if (choice.problem) return isNew && !id ? [] : [choice.problem]
      return choice.id || isNew ? [] : [`There is no D1 database ${name}. Deploy first: npm run deploy`]
    }),
  )
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
