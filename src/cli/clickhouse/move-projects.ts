// Moves projects from their shards to ClickHouse: copies, compares, switches, and copies what arrived during the move. A move that was
// stopped continues from the end of its log.
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickhouseServer } from '../../analytics/clickhouse/server'
import { PreflightError, say } from '../command'
import { createProgress } from '../import/progress'
import type { SqlDatabase } from '../sql-database'
import { copyEvents, copyLaterEvents, differencesOfEvents, newestIdOf } from './copy-events'
import { copyPeople, differencesOfPeople } from './copy-people'
import { createLog, forget, forgetPeople, type Move, readMoves, writeMove } from './move-log'

export interface MoveOptions {
  main: SqlDatabase
  /** Returns a shard by its binding. */
  shardOf(binding: string): SqlDatabase | undefined
  server: ClickhouseServer
  /** The projects. Null means all that are queried on D1, and those whose move was stopped. */
  projectIds: readonly number[] | null
  /** Deletes what earlier runs copied of these projects, as long as they are queried on D1. */
  restarts: boolean
  /** How long events may still reach a shard after the switch. */
  settleMs: number
  /** The number of events of a page. */
  pageSize?: number
}

interface Project {
  id: number
  shard: SqlDatabase
  isMoved: boolean
  move: Move | undefined
}

/**
 * @returns how many projects were moved
 * @throws an error that names the differences; the project is then still queried on D1
 */
export async function moveProjects(options: MoveOptions): Promise<number> {
  const { main, server, restarts, settleMs } = options
  await createLog(server)
  const projects = await chooseProjects(options)
  const moved: (Project & { move: Move })[] = []
  for (const project of projects) {
    const { id, shard } = project
    if (restarts && !project.isMoved) await forget(server, id)
    const known = restarts ? undefined : project.move
    const move = known ?? { newestId: await newestIdOf(shard), isFinished: false }
    moved.push({ ...project, move })
    if (project.isMoved) continue
    await (known ? forgetPeople(server, id) : writeMove(server, id, move))
    await copyProject(options, { ...project, move })
    await main.query(`UPDATE projects SET query_engine = 'clickhouse' WHERE id = ?1`, [id])
    say(`Project ${id}: all that was copied has arrived. Queries and new events go to ClickHouse now.\n`)
  }
  if (moved.length === 0) return 0

  say('Copying later rows …\n')
  await sleep(settleMs)
  for (const [shard, list] of Map.groupBy(moved, (project) => project.shard)) {
    const newestId = Math.min(...list.map(({ move }) => move.newestId))
    await copyLaterEvents(
      { shard, server, newestId },
      list.map(({ id }) => id),
    )
    for (const { id, move } of list) {
      await copyPeople({ main, shard, server, projectId: id })
      await writeMove(server, id, { ...move, isFinished: true })
    }
  }
  return moved.length
}

async function copyProject(
  { main, server, pageSize }: MoveOptions,
  { id, shard, move: { newestId } }: Project & { move: Move },
): Promise<void> {
  const source = { main, shard, server, projectId: id, newestId }
  const people = createProgress(`Project ${id}, people`)
  const copied = await copyPeople(source, (count) => people.show(count, null))
  people.end()
  const events = createProgress(`Project ${id}, events`)
  await copyEvents(source, (count, total) => events.show(count, total), pageSize)
  events.end()
  const differences = [...(await differencesOfPeople(source, copied)), ...(await differencesOfEvents(source))]
  if (differences.length === 0) return
  throw new Error(
    `Project ${id} stays on D1: what was copied is not what ClickHouse has.\n${differences
      .slice(0, 20)
      .map((each) => `  ${each}\n`)
      .join('')}Run the command with --restart to copy it again.`,
  )
}

/** @throws PreflightError for a project that does not exist, or whose shard is not bound */
async function chooseProjects({ main, shardOf, server, projectIds }: MoveOptions): Promise<Project[]> {
  const moves = await readMoves(server)
  const rows = await main.query('SELECT id, shard, query_engine FROM projects ORDER BY id')
  const missing = projectIds?.filter((id) => !rows.some((row) => row.id === id)) ?? []
  if (missing.length > 0) throw new PreflightError(`There is no project ${missing.join(', ')}.`)
  return rows.flatMap((row) => {
    const id = Number(row.id)
    const isMoved = row.query_engine === 'clickhouse'
    const move = moves.get(id)
    if (projectIds && !projectIds.includes(id)) return []
    // The project was created on ClickHouse, or moved by an earlier run.
    if (isMoved && (!move || move.isFinished)) return []
    const shard = shardOf(String(row.shard))
    if (!shard)
      throw new PreflightError(`Project ${id} is in ${String(row.shard)}, which wrangler.toml does not bind.`)
    return [{ id, shard, isMoved, move }]
  })
}
