import { asc, desc, eq, type SQL, sql } from 'drizzle-orm'
import { featureFlags, projects } from '../../../drizzle'
import { bytesOf, sortByPlace } from '../../storage/byte-page'
import { countOf, totalIn } from '../../storage/count'
import { invalid } from '../../errors'
import { page, type Page, type PageQuery } from '../../http/pagination'
import type { Database } from '../../storage/database'
import { type FlagContext, viewerOf } from '../context'
import { recordFrom } from './record'
import { selectFlagPage } from './rows'
import type { FlagRecord } from '../schema'
import { isNarrow, parseSelection, type SentSelection } from './parse-selection'
import { conditionFor } from './selection'

interface Order {
  order?: string | undefined
}

/** Returns a page of the flags that the query selects. */
export async function readFlagPage(
  context: FlagContext & { url: URL },
  { limit, offset, order, ...sent }: SentSelection & Order & PageQuery,
): Promise<Page<FlagRecord>> {
  const { deps, project, url } = context
  const selection = parseSelection(sent)
  const { archived, ...filters } = selection
  const isOfAll = !isNarrow({ ...filters, archived: false })
  const condition = conditionFor(deps.db, project.id, selection, deps.clock.now())
  const count = isOfAll
    ? selectStoredCount(deps.db, project.id, archived)
    : countOf(deps.db, featureFlags, condition)
  const [counts, found] = await deps.db.batch([
    count,
    selectPage(deps.db, condition, { order, limit, offset }),
  ])
  const viewer = viewerOf(context)
  const records = await Promise.all(sortByPlace(found).map((row) => recordFrom(row, viewer)))
  return page(url, { limit, offset }, totalIn(counts), records)
}

/** Selects how many flags a project has that are not deleted, as triggers count them: archived ones or others. */
const selectStoredCount = (db: Database, projectId: number, archived: boolean) =>
  db
    .select({
      total: (archived
        ? sql<number>`archived_flag_count`
        : sql<number>`live_flag_count - archived_flag_count`
      ).as('total'),
    })
    .from(projects)
    .where(eq(projects.id, projectId))

/**
 * Selects a page. Its ids are selected first, so that the parts of a record are read for the page alone and not for everything that is
 * sorted. The page ends early when its flags are too large together.
 */
function selectPage(db: Database, condition: SQL, { order, limit, offset }: Order & PageQuery) {
  const own = sql`SELECT feature_flags.id, ${bytesOf(featureFlags.filters, featureFlags.name, featureFlags.rollbackConditions)} AS own
    FROM feature_flags WHERE ${condition} ORDER BY ${sql.join(orderBy(order), sql`, `)} LIMIT ${limit} OFFSET ${offset}`
  // Tags are counted for the flags of the page, not for all that are sorted.
  const sizes = sql`SELECT id, own + (SELECT total(octet_length(t.name)) FROM flag_tags t WHERE t.flag_id = id) AS bytes FROM (${own})`
  return selectFlagPage(db, sizes)
}

/** Returns the ids of all flags that `selection` picks, newest first. */
export async function readMatchingIds(
  { deps: { db, clock }, project }: FlagContext,
  sent: SentSelection,
): Promise<number[]> {
  const selection = parseSelection(sent)
  const rows = await db
    .select({ id: sql<number>`${featureFlags.id}`.as('id') })
    .from(featureFlags)
    .where(conditionFor(db, project.id, selection, clock.now()))
    .orderBy(desc(featureFlags.createdAt), desc(featureFlags.id))
  return rows.map(({ id }) => id)
}

const ORDER_FIELDS = {
  id: featureFlags.id,
  key: featureFlags.key,
  name: featureFlags.name,
  created_at: featureFlags.createdAt,
  updated_at: featureFlags.updatedAt,
  last_called_at: featureFlags.lastCalledAt,
  active: featureFlags.active,
  version: featureFlags.version,
  created_by: featureFlags.createdById,
}

/**
 * Returns the terms of an order. A term is a field, descending with `-` in front; the default is newest first. Ids break ties, so that
 * pages never overlap.
 * @throws 400, attr `order`, for any other field. (Upstream passes it on to the database.)
 */
function orderBy(order: string | undefined): SQL[] {
  if (!order) return [desc(featureFlags.createdAt), desc(featureFlags.id)]
  const descending = order.startsWith('-')
  const field = descending ? order.slice(1) : order
  if (!Object.hasOwn(ORDER_FIELDS, field)) {
    throw invalid('order', `Cannot order by "${field}". Use one of: ${Object.keys(ORDER_FIELDS).join(', ')}.`)
  }
  const direction = descending ? desc : asc
  return [direction(ORDER_FIELDS[field as keyof typeof ORDER_FIELDS]), direction(featureFlags.id)]
}
