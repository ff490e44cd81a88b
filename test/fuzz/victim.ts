// Another tenant, with one of everything: nothing of it may show in a response to somebody else, and nothing of it may change.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { organizations, projects, users } from '../../drizzle'
import { documentKey } from '../../src/snapshots/document'
import { settled } from '../project/support'
import { createMaterializingTenant } from '../support/endpoints/materialization'
import { database, setLevel } from '../support/tenant'
import { PASSING } from './things'
import { thingNames, worldOf } from './world'

/** What its texts are made of, and where its numbers begin: neither occurs by chance. */
const MARK = 'zebrafish'
const FIRST_ID = 770_000_000

export interface Victim {
  /** What a placeholder stands for, of this tenant. */
  thing(name: string): unknown
  /** What of it a response shows, besides what the request itself said. */
  leaksIn(response: string, request: string): string[]
  /** Every row that it has or that names it, by table. */
  rows(): Promise<Record<string, unknown[]>>
}

/** Made as the API makes things; then only looked at. */
export async function createVictim(): Promise<Victim> {
  await beginAt(FIRST_ID)
  // Files share a database: each has its own victim.
  const mark = `${MARK}${crypto.randomUUID().slice(0, 8)}`
  const tenant = await createMaterializingTenant()
  await setLevel(tenant, 15)
  const { organizationId, projectId, user } = tenant
  const db = database()
  await db
    .update(organizations)
    .set({ name: `${mark} organization`, slug: `${mark}-organization` })
    .where(eq(organizations.id, organizationId))
  await db
    .update(projects)
    .set({ name: `${mark} project` })
    .where(eq(projects.id, projectId))
  await db
    .update(users)
    .set({ email: `${mark}@example.com`, firstName: `${mark} first`, lastName: `${mark} last` })
    .where(eq(users.id, user.id))
  tenant.user = { ...user, email: `${mark}@example.com` }

  const world = worldOf(tenant, mark)
  const things = new Map<string, unknown>()
  for (const name of thingNames) if (!PASSING.has(name)) things.set(name, await world.resolve(name))

  const ids = await idsFrom([organizationId, projectId, user.id, user.uuid])
  const owned = await rowsNaming(ids)
  const secrets = new Set([
    ...ids.map(String),
    tenant.key,
    tenant.projectToken,
    ...textsIn(owned).flatMap((text) => text.match(MARKED) ?? []),
    ...textsIn(owned).flatMap((text) => text.match(UNMISTAKABLE) ?? []),
  ])
  return {
    thing: (name) => things.get(name),
    leaksIn(response, request) {
      const candidates = [...(response.match(UNMISTAKABLE) ?? []), ...(response.match(MARKED) ?? [])]
      return [...new Set(candidates)].filter((each) => secrets.has(each) && !request.includes(each))
    },
    async rows() {
      // A burst of changes comes to KV a second later.
      await settled(tenant)
      const document = await env.SNAPSHOTS.get(documentKey(projectId))
      return { ...(await rowsNaming(ids)), document: [document] }
    },
  }
}

/** UUIDs, tokens and keys, and numbers as large as ids of this database. */
const UNMISTAKABLE =
  /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|ph[cx]_\w{20,}|(?<!\d)77\d{7}(?!\d)/g
const MARKED = new RegExp(`[\\w.-]*${MARK}[\\w@. -]*`, 'g')

/** Lets every table that counts its rows begin at numbers of its own. */
async function beginAt(first: number): Promise<void> {
  const { results } = await env.DB.prepare(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'`,
  ).all<{ name: string }>()
  await env.DB.batch(
    results.flatMap(({ name }, index) => [
      env.DB.prepare('DELETE FROM sqlite_sequence WHERE name = ?').bind(name),
      env.DB.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').bind(
        name,
        first + index * 1_000_000,
      ),
    ]),
  )
}

type Ids = (string | number)[]

/** Ids of all that belongs to what has these ids. */
async function idsFrom(known: Ids): Promise<Ids> {
  const rows = Object.values(await rowsNaming(known)).flat() as Record<string, unknown>[]
  const isId = (value: unknown): value is string | number =>
    typeof value === 'number' ? value > FIRST_ID : typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value)
  const all = new Set([...known, ...rows.flatMap(({ id, uuid }) => [id, uuid].filter(isId))])
  return all.size === known.length ? known : idsFrom([...all])
}

async function rowsNaming(ids: Ids): Promise<Record<string, unknown[]>> {
  const { results: columns } = await env.DB.prepare(
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_master t, pragma_table_info(t.name) c
      WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '\\_%' ESCAPE '\\' AND t.name NOT IN ('d1_migrations', 'write_guards')`,
  ).all<{ table: string; column: string }>()
  const tables = [...Map.groupBy(columns, ({ table }) => table)]
  const found = await env.DB.batch<Record<string, unknown>>(
    tables.map(([table, its]) =>
      env.DB.prepare(
        `WITH ids AS (SELECT value FROM json_each(?)) SELECT * FROM "${table}" WHERE ${its
          .map(({ column }) => `"${column}" IN (SELECT value FROM ids)`)
          .join(' OR ')} ORDER BY 1, 2`,
      ).bind(JSON.stringify(ids)),
    ),
  )
  return Object.fromEntries(
    tables
      .map(([table], index) => [table, found[index]!.results] as const)
      .filter(([, rows]) => rows.length > 0),
  )
}

const textsIn = (rows: Record<string, unknown[]>): string[] =>
  Object.values(rows).flatMap((each) =>
    each.flatMap((row) => Object.values(row as object).filter((value) => typeof value === 'string')),
  )
