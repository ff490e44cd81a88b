// Groups and their types as the API shows them, from the main database.
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import * as z from 'zod'
import { groups, groupTypes } from '../../drizzle'
import { notFound } from '../errors'
import type { SchemaDocs } from '../http/docs/operation-docs'
import { dateTime, digits, pageQuery } from '../http/fields'
import { bytesOf, isWithinBytes, sortByPlace, withRunningTotal } from '../storage/byte-page'
import type { Database } from '../storage/database'
import { toApiTimestamp } from '../timestamps'
import { linkTo } from './person-records'

export const GroupTypeRecord = z
  .object({
    group_type: z.string(),
    group_type_index: z.int(),
    name_singular: z.null(),
    name_plural: z.null(),
  })
  .meta({ id: 'GroupType' })

export const GroupTypeRecordDocs = (): SchemaDocs => ({
  description: 'A kind of group, which capture has seen. Read-only.',
  fields: {
    group_type: 'Name of the group type, as clients send it.',
    group_type_index: 'Index of the group type, from 0 to 4, in the order of appearance.',
    name_singular: 'Always null: types have no display names.',
    name_plural: 'Always null: types have no display names.',
  },
  example: {
    group_type: 'company',
    group_type_index: 0,
  },
})

export const GroupRecord = z
  .object({
    group_type_index: z.int(),
    group_key: z.string(),
    group_properties: z.record(z.string(), z.unknown()),
    created_at: dateTime(),
  })
  .meta({ id: 'Group' })

export const groupExample = () => ({
  group_type_index: 0,
  group_key: 'acme',
  group_properties: { plan: 'enterprise' },
  created_at: '2026-03-20T08:28:45.440000Z',
})

export const GroupRecordDocs = (): SchemaDocs => ({
  description: 'A group, such as a company. Read-only: capture writes groups.',
  fields: {
    group_type_index: 'Index of its group type.',
    group_key: 'Key of the group, unique in its type.',
    group_properties: 'Properties of the group.',
    created_at: 'Time when the group was first seen (ISO 8601, UTC).',
  },
  example: groupExample(),
})

export const GroupPage = z
  .object({ next: z.string().nullable(), previous: z.null(), results: z.array(GroupRecord) })
  .meta({ id: 'GroupCursorPage' })

export const GroupPageDocs = (): SchemaDocs => ({
  description: 'A page of groups of one type.',
  fields: {
    next: 'URL of the next page; null on the last.',
    previous: 'Always null.',
    results: 'The groups of this page, by key.',
  },
  example: {},
})

export const GroupQuery = z.object({
  group_type_index: digits(),
  cursor: z.string().optional(),
  limit: pageQuery.limit,
})

export const FindGroupQuery = z.object({ group_type_index: digits(), group_key: z.string() })

/** Lists the group types of a project, of which there are at most five. */
export async function listGroupTypes(
  db: Database,
  projectId: number,
): Promise<z.output<typeof GroupTypeRecord>[]> {
  const rows = await db
    .select({ group_type: groupTypes.name, group_type_index: groupTypes.index })
    .from(groupTypes)
    .where(eq(groupTypes.projectId, projectId))
    .orderBy(asc(groupTypes.index))
  return rows.map((row) => ({ ...row, name_singular: null, name_plural: null }))
}

const groupColumns = {
  group_type_index: groups.typeIndex,
  group_key: groups.key,
  group_properties: groups.properties,
  created_at: groups.createdAt,
}

const isOfType = (projectId: number, index: number) =>
  and(eq(groups.projectId, projectId), eq(groups.typeIndex, index))

/** Lists a page of groups of a type, by key. @param url of the request, for the link to the next page */
export async function listGroups(
  db: Database,
  projectId: number,
  { group_type_index: index, cursor, limit }: z.output<typeof GroupQuery>,
  url: URL,
): Promise<z.output<typeof GroupPage>> {
  const isOurs = isOfType(projectId, index)
  const [rows, [last]] = await db.batch([
    db
      .select({ place: sql<number>`picked.place`.as('place'), ...groupColumns })
      .from(groups)
      .innerJoin(
        withRunningTotal(sql`SELECT groups.rowid AS id, ${bytesOf(groups.properties)} AS bytes FROM groups
          WHERE ${and(isOurs, cursor === undefined ? undefined : gt(groups.key, cursor))}
          ORDER BY ${asc(groups.key)} LIMIT ${limit}`),
        sql`groups.rowid = picked.id AND ${isWithinBytes()}`,
      ),
    db
      .select({ key: sql<string | null>`max(${groups.key})`.as('last_key') })
      .from(groups)
      .where(isOurs),
  ])
  const page = sortByPlace(rows)
  const end = page.at(-1)?.group_key
  return {
    next: end !== undefined && last?.key !== end ? linkTo(url, end) : null,
    previous: null,
    results: page.map(({ place: _place, ...row }) => ({
      ...row,
      created_at: toApiTimestamp(row.created_at),
    })),
  }
}

/** @throws 404. */
export async function findGroup(
  db: Database,
  projectId: number,
  { group_type_index: index, group_key: key }: z.output<typeof FindGroupQuery>,
): Promise<z.output<typeof GroupRecord>> {
  const [row] = await db
    .select(groupColumns)
    .from(groups)
    .where(and(isOfType(projectId, index), eq(groups.key, key)))
  if (!row) throw notFound()
  return { ...row, created_at: toApiTimestamp(row.created_at) }
}
