// Changes of flags, shown optimistically and reverted when the service rejects them.
import { changeInLists } from '../api/change-in-lists'
import { type Flag, post, patch } from '../api/client'
import { refreshRequests } from '../api/approvals'
import { mayRepeat, messageOf, Problem } from '../api/problem'
import {
  eachFlag,
  flagActivityQuery,
  type FlagFilter,
  flagKey,
  flagsKey,
  queryClient,
  inProject,
  itemIn,
} from '../api/queries'
import { pick } from '../edit/changed-fields'
import { inOrder, referencesOf } from '../../import/references'
import { say, sayLink, sayProblem } from '../design/popups/toast'
import { doing, sayUnchanged, type Undo } from '../edit/doing'
import { Overtaken } from '../edit/overtaken'
import type { components } from '../api/schema'

type UpdateFlag = components['schemas']['UpdateFlag']

export const updateFlag = (projectId: number, id: number, body: UpdateFlag): Promise<Flag> =>
  patch('/api/projects/{project_id}/feature_flags/{id}/', itemIn(projectId, id), body)

/** Says that changes wait for approval, where an error means that. */
export function sayHeld(projectId: number, error: unknown): boolean {
  if (!(error instanceof Problem) || error.changeRequestId === null) return false
  const isNew = error.code === 'approval_required'
  sayLink(
    isNew ? 'The change needs approval: it is requested.' : 'Such a change already waits for approval.',
    'View the request',
    `/project/${projectId}/change_requests/${error.changeRequestId}`,
  )
  void refreshRequests(projectId)
  return true
}

/** Reads everything about flags again that pages show. */
export const refreshFlags = (projectId: number): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: flagsKey(projectId) })

/** Puts a flag, as a response has it, into what pages show. */
export function showFlag(projectId: number, flag: Flag): void {
  queryClient.setQueryData(flagKey(projectId, flag.id), flag)
  showInLists(projectId, flag.id, () => flag)
  void queryClient.invalidateQueries(flagActivityQuery(projectId, flag.id))
}

const showInLists = (projectId: number, id: number, change: (flag: Flag) => Flag): void =>
  changeInLists<Flag>([...flagsKey(projectId), 'list'], (flag) => flag.id === id, change)

/** Enables or disables a flag, with undo. */
export function setActive(projectId: number, { id, key }: Flag, isActive: boolean): Promise<boolean> {
  const show = (active: boolean) => {
    showInLists(projectId, id, (each) => ({ ...each, active }))
    queryClient.setQueryData<Flag>(flagKey(projectId, id), (each) => each && { ...each, active })
  }
  const turn = (active: boolean): Undo => ({
    item: key,
    check: null,
    show: () => show(active),
    revert: () => show(!active),
    change: async () => showFlag(projectId, await updateFlag(projectId, id, { active })),
    said: `${key} is ${active ? 'enabled' : 'disabled'}.`,
    sayError: (error) => sayHeld(projectId, error),
  })
  return doing({ ...turn(isActive), undo: turn(!isActive) })
}

/** Requests at once: the browser and the key's limits are shared with the rest of the page. */
const MAX_REQUESTS = 6

/** Errors after which the next requests would fail too. */
const isUnavailable = (error: unknown): boolean =>
  error instanceof Problem && (error.status === 0 || error.status === 429 || error.status >= 500)

interface Outcome<T> {
  done: T[]
  /** Those that failed or were not tried, without those that wait for approval. */
  failed: T[]
  errors: unknown[]
}

const isHeld = (error: unknown): boolean => error instanceof Problem && error.changeRequestId !== null

/** Flags in groups, of which each may be written at once: an enabled flag depends on enabled ones alone. */
function groupsOf<T extends Pick<Flag, 'id'> & Partial<Pick<Flag, 'filters'>>>(
  flags: readonly T[],
  areEnabled: boolean,
): T[][] {
  const items = flags.map((flag) => ({
    key: String(flag.id),
    flag,
    named: referencesOf({ ...flag.filters } as Parameters<typeof referencesOf>[0], 'flag'),
  }))
  const groups: (typeof items)[] = []
  for (const item of inOrder(items, ({ named }) => named)) {
    const last = groups.at(-1)
    if (last && last.length < MAX_REQUESTS && !last.some(({ key }) => item.named.includes(key)))
      last.push(item)
    else groups.push([item])
  }
  return (areEnabled ? groups : groups.toReversed()).map((group) => group.map(({ flag }) => flag))
}

/** Updates flags, a request each; stops when the service is unavailable. Says which wait for approval. */
async function updateEach<T extends { id: number }>(
  projectId: number,
  groups: readonly (readonly T[])[],
  update: (flag: T) => Promise<unknown>,
  onProgress?: (done: number) => void,
): Promise<Outcome<T>> {
  const flags = groups.flat()
  const done: T[] = []
  const held: T[] = []
  let wait: unknown
  const errors: unknown[] = []
  for (const group of groups) {
    if (errors.some(isUnavailable)) break
    await Promise.all(
      group.map((flag) =>
        update(flag).then(
          () => done.push(flag),
          (error: unknown) => {
            if (!isHeld(error)) return errors.push(error)
            wait = error
            return held.push(flag)
          },
        ),
      ),
    )
    onProgress?.(done.length)
  }
  await refreshFlags(projectId)
  if (held.length === 1) sayHeld(projectId, wait)
  else if (held.length > 1) {
    sayLink(
      `${held.length} changes need approval: they are requested.`,
      'View the requests',
      `/project/${projectId}/change_requests`,
    )
    void refreshRequests(projectId)
  }
  return { done, failed: flags.filter((flag) => !done.includes(flag) && !held.includes(flag)), errors }
}

const countWords = (flags: readonly { key: string }[]): string =>
  flags.length === 1 ? flags[0]!.key : `${flags.length} flags`

/** Says what failed, with another attempt where that may succeed. */
function sayFailed<T extends { key: string }>(
  count: number,
  { failed, errors }: Outcome<T>,
  retryAll: () => void,
): void {
  const [first] = failed
  if (!first) return
  const retry = errors.some((error) => !(error instanceof Overtaken) && mayRepeat(error))
    ? retryAll
    : undefined
  if (failed.length === 1) sayUnchanged(first.key, errors[0], retry)
  else sayProblem(`${failed.length} of ${count} flags failed: ${messageOf(errors[0])}`, retry)
}

/** Fields of a flag that a change wrote. */
interface Written {
  flag: Flag
  /** The fields as they are since. */
  written: Partial<Flag>
}

/** Takes changes of flags back. A flag that was changed since stays as it is. */
export async function undoEach(projectId: number, changes: readonly Written[], words: string): Promise<void> {
  const flags = changes.map(({ flag, written }) => ({ ...flag, written }))
  const isDisabled = flags.some(({ written }) => written.active === false)
  const outcome = await updateEach(projectId, groupsOf(flags, isDisabled), ({ written, ...flag }) =>
    updateFlag(projectId, flag.id, {
      ...(pick(flag, Object.keys(written) as (keyof Flag)[]) as UpdateFlag),
      version: flag.version,
      original_flag: written as unknown as Record<string, never>,
    }).catch((error: unknown) => {
      throw error instanceof Problem && error.status === 409 && !isHeld(error) ? new Overtaken(flag) : error
    }),
  )
  void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'activity'] })
  if (outcome.done.length > 0) say(`${countWords(outcome.done)} ${words}.`)
  sayFailed(flags.length, outcome, () => {
    const failed = new Set(outcome.failed.map(({ id }) => id))
    void undoEach(
      projectId,
      changes.filter(({ flag }) => failed.has(flag.id)),
      words,
    )
  })
}

/** Requests approval of deletions, which are known to need it. */
export async function requestDeletions(
  projectId: number,
  flags: readonly { id: number; key: string }[],
): Promise<void> {
  const outcome = await updateEach(projectId, groupsOf(flags, false), ({ id }) =>
    updateFlag(projectId, id, { deleted: true }),
  )
  sayFailed(flags.length, outcome, () => void requestDeletions(projectId, outcome.failed))
}

/** Flags that one request may name. */
export const MAX_IN_REQUEST = 500

/** Restores deleted flags, and says what could not be restored. */
export async function restoreFlags(
  projectId: number,
  flags: readonly Pick<Flag, 'id' | 'key'>[],
): Promise<void> {
  const path = inProject(projectId)
  const restored: { id: number; key: string }[] = []
  const errors: { reason: string }[] = []
  try {
    for (let at = 0; at < flags.length; at += MAX_IN_REQUEST) {
      const ids = flags.slice(at, at + MAX_IN_REQUEST).map(({ id }) => id)
      const result = await post('/api/projects/{project_id}/feature_flags/bulk_restore/', { path }, { ids })
      restored.push(...result.restored)
      errors.push(...result.errors)
    }
  } catch (error) {
    const left = flags.slice(restored.length + errors.length)
    sayProblem(error, () => void restoreFlags(projectId, left))
  }
  await refreshFlags(projectId)
  void queryClient.invalidateQueries({ queryKey: ['project', projectId, 'activity'] })
  if (restored.length > 0) say(`${countWords(restored)} restored.`)
  const [first] = errors
  if (first)
    sayProblem(
      flags.length === 1
        ? first.reason
        : `${errors.length} of ${flags.length} flags were not restored: ${first.reason}`,
    )
}

/** What flags become, with what that writes and what they are when it is undone. An archived flag is not evaluated. */
const TURNS = {
  enabled: { written: { active: true }, undone: 'disabled' },
  disabled: { written: { active: false }, undone: 'enabled' },
  archived: { written: { archived: true, active: false }, undone: 'taken out of the archive' },
  'taken out of the archive': { written: { archived: false }, undone: 'archived' },
} as const

export type Turn = keyof typeof TURNS

interface TurnOptions {
  onProgress?(done: number): void
  /** Another attempt with those that failed. Default: at once. */
  onRetry?(failed: readonly Flag[]): void
}

/**
 * Writes the same state of flags, with undo to the state of each.
 * @returns those that failed
 */
export async function turnEach(
  projectId: number,
  flags: readonly Flag[],
  to: Turn,
  { onProgress, onRetry = (failed) => void turnEach(projectId, failed, to) }: TurnOptions = {},
): Promise<Flag[]> {
  const { written, undone } = TURNS[to]
  const outcome = await updateEach(
    projectId,
    groupsOf(flags, to === 'enabled'),
    ({ id }) => updateFlag(projectId, id, written),
    onProgress,
  )
  const { done, failed } = outcome
  const changes = done.map((flag) => ({ flag, written }))
  if (done.length > 0) say(`${countWords(done)} ${to}.`, () => void undoEach(projectId, changes, undone))
  sayFailed(flags.length, outcome, () => onRetry(failed))
  return failed
}

/** Flags with these ids, of which some are loaded: the others are read from the list with the filters that selected them. */
export async function flagsWith(
  projectId: number,
  ids: ReadonlySet<number>,
  loaded: readonly Flag[],
  filter: FlagFilter,
): Promise<Flag[]> {
  const found = new Map(loaded.map((flag) => [flag.id, flag]))
  if (found.size < ids.size)
    for await (const flag of eachFlag(projectId, filter)) {
      if (ids.has(flag.id)) found.set(flag.id, flag)
      if (found.size === ids.size) break
    }
  return [...found.values()]
}
