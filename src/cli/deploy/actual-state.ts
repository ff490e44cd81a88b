import { missingTables } from '../migrations'
import { readSchema, RESTORE_TABLE } from '../../storage/backup/schema'
import { remoteDatabase } from '../sql-database'
import type { Account } from './account'
import type { ActualState, Database, DatabaseState, Namespace } from './account-state'
import { DATABASE, isDatabase, migrationsFolderOf, NAMESPACE } from './bindings'
import { chooseDatabase } from './plan-databases'
import { CloudflareError, nullIfMissing, withPermission } from './cloudflare'
import type { DesiredDatabase, DesiredState } from './desired-state'

interface Binding {
  name: string
  id?: string
  namespace_id?: string
  /** Of a variable. */
  text?: string
}

/**
 * Reads the actual state of everything in the desired state.
 * @throws PreflightError when the login lacks a permission
 */
export async function readActualState(account: Account, desired: DesiredState): Promise<ActualState> {
  const { id, cloudflare } = account
  const at = `/accounts/${id}`
  const script = `${at}/workers/scripts/${desired.worker}`
  const [subdomain, settings, secrets, named, namespaces, queues] = await Promise.all([
    withPermission('Workers Scripts:Edit', ifSubdomain(cloudflare.get(`${at}/workers/subdomain`))),
    withPermission(
      'Workers Scripts:Edit',
      nullIfMissing(cloudflare.get<{ bindings: Binding[] }>(`${script}/settings`)),
    ),
    withPermission(
      'Workers Scripts:Edit',
      nullIfMissing(cloudflare.get<{ name: string }[]>(`${script}/secrets`)),
    ),
    withPermission(
      'D1:Edit',
      Promise.all(
        desired.databases.map(({ name }) => cloudflare.list<D1Row>(`${at}/d1/database?name=${name}`)),
      ),
    ),
    withPermission('Workers KV Storage:Edit', cloudflare.list<Namespace>(`${at}/storage/kv/namespaces`)),
    withPermission('Queues:Edit', cloudflare.list<{ queue_name: string }>(`${at}/queues`)),
  ])
  const bindings = settings?.bindings ?? []
  const worker = settings && {
    databaseIds: Object.fromEntries(
      bindings.flatMap((one) => (isDatabase(one.name) && one.id ? [[one.name, one.id]] : [])),
    ),
    namespaceId: bindings.find(({ name }) => name === NAMESPACE)?.namespace_id ?? null,
    secrets: (secrets ?? []).map(({ name }) => name),
    vars: Object.fromEntries(
      bindings.flatMap(({ name, text }) => (text === undefined ? [] : [[name, text]])),
    ),
  }
  const ids = [
    ...desired.databases.flatMap((database) => database.id ?? []),
    ...Object.values(worker?.databaseIds ?? {}),
  ]
  const byId = await Promise.all(
    [...new Set(ids)].map((one) => nullIfMissing(cloudflare.get<D1Row>(`${at}/d1/database/${one}`))),
  )
  const databases = unique([...named.flat(), ...byId.filter((one) => one !== null)])
  return {
    subdomain,
    databases,
    namespaces: namespaces.map(({ id: one, title }) => ({ id: one, title })),
    queues: queues.map(({ queue_name: name }) => name),
    worker,
    ...(await readDatabases(account, desired, { databases, worker })),
  }
}

interface D1Row {
  uuid: string
  name: string
}

const unique = (rows: D1Row[]): Database[] => [
  ...new Map(rows.map(({ uuid, name }) => [uuid, { id: uuid, name }])).values(),
]

/** Returns the subdomain, or null for an account that never had a Worker, for which Cloudflare reports an error. */
async function ifSubdomain(response: Promise<{ subdomain: string }>): Promise<string | null> {
  try {
    return (await response).subdomain
  } catch (error) {
    if (error instanceof CloudflareError && (error.status === 404 || error.code === 10_007)) return null
    throw error
  }
}

async function readDatabases(
  account: Account,
  desired: DesiredState,
  known: Pick<ActualState, 'databases' | 'worker'>,
): Promise<Pick<ActualState, 'schemas' | 'usedShards'>> {
  const chosen = desired.databases.flatMap((database) => {
    const { id } = chooseDatabase(database, desired.worker, known)
    return id ? [{ ...database, id }] : []
  })
  const schemas = Object.fromEntries(
    await Promise.all(
      chosen.map(async (database) => [database.binding, await readDatabase(account, database)] as const),
    ),
  )
  const main = chosen.find(({ binding }) => binding === DATABASE)
  const state = schemas[DATABASE]
  // The projects of an outdated database have no column for their shard.
  const shards =
    main && state?.isInUse && state.missingTables.length === 0
      ? await remoteDatabase(DATABASE, main.id, account).execute([
          'SELECT DISTINCT shard FROM projects ORDER BY shard',
        ])
      : []
  return { schemas, usedShards: shards.map(({ shard }) => String(shard)) }
}

async function readDatabase(
  account: Account,
  { binding, id, migrations }: DesiredDatabase & { id: string },
): Promise<DatabaseState> {
  const { execute } = remoteDatabase(binding, id, account)
  const { applied, tables } = await readSchema((sql) => execute([sql]))
  const tested = TABLES_IN_USE[migrationsFolderOf(binding)].filter((table) => tables.includes(table))
  const inUse = tested.map((table) => `EXISTS (SELECT 1 FROM ${table})`).join(' OR ')
  const [row] = inUse ? await execute([`SELECT ${inUse} AS is_in_use`]) : []
  return {
    applied,
    missingTables: missingTables(migrations, { applied, tables }),
    isRestoring: tables.includes(RESTORE_TABLE),
    isInUse: row?.is_in_use === 1,
  }
}

/** Tables with rows in a database that is in use. */
const TABLES_IN_USE = { main: ['users'], events: ['event_volumes', 'persons'] }
