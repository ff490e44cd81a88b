// What is there already: read, never changed.
import type { Account } from './account'
import type { Database, Namespace, Present } from './account-state'
import { CloudflareError, ifThere, withPermission } from './cloudflare'
import { type Choice, chooseDatabase } from './choice'
import { DATABASE, NAMESPACE } from './bindings'
import type { Wanted } from './wanted'

interface Binding {
  name: string
  id?: string
  namespace_id?: string
}

/**
 * Reads what the account holds of what is wanted.
 * @throws Refusal when the login may not see it.
 */
export async function readPresent({ id, cloudflare }: Account, wanted: Wanted): Promise<Present> {
  const at = `/accounts/${id}`
  const script = `${at}/workers/scripts/${wanted.worker}`
  const [subdomain, settings, secrets, named, namespaces, queues] = await Promise.all([
    withPermission('Workers Scripts:Edit', ifSubdomain(cloudflare.get(`${at}/workers/subdomain`))),
    withPermission(
      'Workers Scripts:Edit',
      ifThere(cloudflare.get<{ bindings: Binding[] }>(`${script}/settings`)),
    ),
    withPermission('Workers Scripts:Edit', ifThere(cloudflare.get<{ name: string }[]>(`${script}/secrets`))),
    withPermission('D1:Edit', cloudflare.list<D1Row>(`${at}/d1/database?name=${wanted.database.name}`)),
    withPermission('Workers KV Storage:Edit', cloudflare.list<Namespace>(`${at}/storage/kv/namespaces`)),
    withPermission('Queues:Edit', cloudflare.list<{ queue_name: string }>(`${at}/queues`)),
  ])
  const bound = (name: string) => settings?.bindings.find((binding) => binding.name === name)
  const worker = settings && {
    databaseId: bound(DATABASE)?.id ?? null,
    namespaceId: bound(NAMESPACE)?.namespace_id ?? null,
    secrets: (secrets ?? []).map(({ name }) => name),
  }
  const ids = new Set([wanted.database.id, worker?.databaseId].filter((one) => typeof one === 'string'))
  const others = await Promise.all(
    [...ids].map((one) => ifThere(cloudflare.get<D1Row>(`${at}/d1/database/${one}`))),
  )
  const databases = unique([...named, ...others.filter((one) => one !== null)])
  const present = {
    subdomain,
    databases,
    namespaces: namespaces.map(({ id: one, title }) => ({ id: one, title })),
    queues: queues.map(({ queue_name: name }) => name),
    worker,
  }
  return { ...present, ...(await readDatabase({ id, cloudflare }, chooseDatabase(wanted, present))) }
}

interface D1Row {
  uuid: string
  name: string
}

const unique = (rows: D1Row[]): Database[] => [
  ...new Map(rows.map(({ uuid, name }) => [uuid, { id: uuid, name }])).values(),
]

/** An account that never had a Worker has no name there, which Cloudflare tells as an error. */
async function ifSubdomain(answer: Promise<{ subdomain: string }>): Promise<string | null> {
  try {
    return (await answer).subdomain
  } catch (error) {
    if (error instanceof CloudflareError && (error.status === 404 || error.code === 10_007)) return null
    throw error
  }
}

async function readDatabase(
  account: Account,
  { id }: Choice,
): Promise<Pick<Present, 'applied' | 'hasUsers'>> {
  if (!id) return { applied: [], hasUsers: false }
  const tables = await query(account, id, [
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('d1_migrations', 'users')`,
  ])
  const has = new Set(tables.map(({ name }) => name))
  const applied = has.has('d1_migrations')
    ? await query(account, id, ['SELECT name FROM d1_migrations ORDER BY id'])
    : []
  const users = has.has('users') ? await query(account, id, ['SELECT id FROM users LIMIT 1']) : []
  return { applied: applied.map(({ name }) => String(name)), hasUsers: users.length > 0 }
}

/** Runs SQL statements as one transaction on a database of the account; gives the rows of the last one. */
export async function query(
  { id, cloudflare }: Account,
  databaseId: string,
  statements: readonly string[],
): Promise<Record<string, unknown>[]> {
  const results = await cloudflare.post<{ results?: Record<string, unknown>[] }[]>(
    `/accounts/${id}/d1/database/${databaseId}/query`,
    { sql: statements.join(';\n') },
  )
  return results.at(-1)?.results ?? []
}
