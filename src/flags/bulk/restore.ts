// Restores many flags, as the reverse of a bulk delete. Each restoration is an update with `deleted: false`, to which the rules of
// updates apply.
import { sql } from 'drizzle-orm'
import { featureFlags } from '../../../drizzle'
import { apiErrorIn } from '../../errors'
import type { Database } from '../../storage/database'
import { flagsByIds } from '../read/rows'
import type { FlagContext } from '../context'
import type { Mark, Published } from '../../snapshots/document'
import { type Deletion, type DeletionError, missingErrors } from './plan-delete'
import type { SplitIds } from './selection'

/** Maximum flags of a request. */
export const MAX_RESTORED = 500

/**
 * Updates that are sent together, so that the project object can commit them in one batch. Each is a call of its own, because D1 takes at
 * most 1,000 statements of one invocation.
 */
const GROUP = 20

export interface RestoreResult {
  restored: Deletion[]
  errors: DeletionError[]
}

interface Restorable {
  id: number
  key: string
  deleted: boolean
  dependsOn: number[]
}

/** Restores flags. After an error of the service the call can be repeated, and restores the rest. @throws errors of the service */
export async function restoreFlags(
  { deps, actor, project }: FlagContext,
  selection: SplitIds,
): Promise<Published<RestoreResult>> {
  const flags = await readRestorable(deps.db, project.id, selection.ids)
  const now = deps.clock.now().getTime()
  const restored: Deletion[] = []
  let newest: Mark | null = null
  const errors: DeletionError[] = [
    ...missingErrors(selection, new Set(flags.map(({ id }) => id))),
    ...flags
      .filter(({ deleted }) => !deleted)
      .map(({ id, key }) => ({ id, key, reason: 'This feature flag is not deleted.' })),
  ]

  async function restore({ id, key }: Restorable): Promise<void> {
    try {
      const body = { deleted: false }
      const write = { kind: 'update' as const, id, body, actor, project, now }
      const { row, rollout, mark } = await deps.projectObjects.writeFlag(write)
      if (mark && mark.generation > (newest?.generation ?? 0)) newest = mark
      restored.push({
        id,
        key: row.key,
        rollout_state: rollout.state,
        active_variant: rollout.state === 'fully_rolled_out' ? rollout.decidedVariant : null,
      })
    } catch (error) {
      const rejection = apiErrorIn(error)
      if (!rejection || rejection.status >= 500) throw error
      errors.push({ id, key, reason: rejection.detail })
    }
  }

  for (const level of dependenciesFirst(flags.filter(({ deleted }) => deleted))) {
    for (let at = 0; at < level.length; at += GROUP)
      await Promise.all(level.slice(at, at + GROUP).map(restore))
  }
  return { restored: restored.sort((a, b) => a.id - b.id), errors, mark: newest }
}

async function readRestorable(
  db: Database,
  projectId: number,
  ids: readonly number[],
): Promise<Restorable[]> {
  const rows = await db
    .select({
      id: featureFlags.id,
      key: featureFlags.key,
      deleted: featureFlags.deleted,
      dependsOn: sql<string>`(SELECT json_group_array(d.depends_on_id) FROM flag_dependencies d
        WHERE d.flag_id = feature_flags.id)`.as('depends_on'),
    })
    .from(featureFlags)
    .where(flagsByIds(projectId, ids))
    .orderBy(featureFlags.id)
  return rows.map((row) => ({ ...row, dependsOn: JSON.parse(row.dependsOn) as number[] }))
}

/** Yields flags by level: an enabled flag can be restored when the flags that it depends on are. */
function dependenciesFirst<Flag extends Pick<Restorable, 'id' | 'dependsOn'>>(
  flags: readonly Flag[],
): Flag[][] {
  const levels: Flag[][] = []
  const left = new Map(flags.map((flag) => [flag.id, flag]))
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ id, dependsOn }) =>
      dependsOn.every((target) => target === id || !left.has(target)),
    )
    // Cycles cannot be created any more. Flags of stored ones come last.
    const level = ready.length > 0 ? ready : [...left.values()]
    for (const { id } of level) left.delete(id)
    levels.push(level)
  }
  return levels
}
