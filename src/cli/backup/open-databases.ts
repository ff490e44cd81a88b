// The databases of an environment, for the commands that read and write them while nothing serves them.
import { requireNone } from '../command'
import { openAccount } from '../deploy/account'
import { readActualState } from '../deploy/actual-state'
import type { DesiredState } from '../deploy/desired-state'
import { chooseDatabases } from '../deploy/plan-databases'
import { onExit } from '../exit-cleanup'
import { withLocalDatabases } from '../local/databases'
import { unfinishedRestore } from '../migrations'
import { acquireLock } from '../serve/lock'
import { readSchema, RESTORE_TABLE } from '../../storage/backup/schema'
import type { Target } from './check-target'
import { isRateLimited, withRetries } from '../deploy/cloudflare'
import { remoteDatabase, type SqlDatabase } from '../sql-database'

export interface OpenDatabases {
  /** The main database, then the shards. */
  targets: Target[]
  /** Variables of the service, on this machine with its secrets. */
  vars: Readonly<Record<string, unknown>>
  /** Creates a database that does not exist. */
  create(binding: string): Promise<SqlDatabase>
}

export interface OpenOptions {
  /** Whether to open the account's databases, instead of those of this machine. */
  remote: boolean
  /**
   * Whether a restore fills the databases: they may then be empty or partly filled, and those of the account may be missing, or differ from
   * those that the Worker is bound to.
   */
  isNew?: boolean
  /** The command that takes the lock of this machine's databases. */
  command: string
}

/**
 * Opens the databases while `use` runs.
 * @throws PreflightError when it is not clear which databases of the account are meant, one is empty, or a restore of one is not finished
 */
export async function withDatabases<T>(
  desired: DesiredState,
  { remote, isNew = false, command }: OpenOptions,
  use: (open: OpenDatabases) => Promise<T>,
): Promise<T> {
  const useChecked = async (open: OpenDatabases) => {
    if (!isNew) await requireWhole(open.targets, remote ? 'npm run deploy' : 'npm start')
    return use(open)
  }
  if (remote) return useChecked(await openRemote(desired, isNew))
  onExit(acquireLock(command).release)
  return withLocalDatabases(({ databases, vars }) =>
    useChecked({
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

async function requireWhole(targets: readonly Target[], creates: string): Promise<void> {
  const problems = await Promise.all(
    targets.map(async ({ binding, database }) => {
      const { tables, applied } = await readSchema(database!.query)
      if (tables.includes(RESTORE_TABLE)) return [unfinishedRestore(binding)]
      return applied.length === 0 ? [`${binding} is empty: run ${creates} first.`] : []
    }),
  )
  requireNone(problems.flat())
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
    vars: actual.worker?.vars ?? {},
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
