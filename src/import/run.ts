// Runs an import: reads both sides, plans, and applies the plan if requested.
import { MAX_GROUP_TYPES } from '../evaluation/groups'
import { applySteps } from './apply'
import { type CheckResult, compareEvaluations, DEFAULT_CHECKED_PEOPLE, readSubjects } from './check-people'
import { checkQueries, withoutRejected } from './check-queries'
import type { Client } from './client'
import type { Memory } from './memory'
import { type Item, type Source, type Stream, STREAMS } from './model'
import { moveStream } from './people'
import { itemId, planImport, remember, type Remembered, type Step } from './plan'
import { readList } from './posthog/lists'
import { findGroups, findPersons } from './posthog/people'
import { type ProjectReading, readProject } from './posthog/read-project'
import { evaluateWith } from './posthog/source'
import { Ids } from './write/write-context'
import type { JsonObject } from '../json'

export interface ImportOptions {
  source: Source
  client: Client
  /** The project's path, such as `/api/projects/1/`. */
  project: string
  memory: Memory
  streams: readonly Stream[]
  apply: boolean
  overwrite: boolean
  /** Whether flags are evaluated on both sides at the end. */
  check: boolean
  /** The number of people to compare. */
  people?: number
  /** Called with what the import finds and does, in order. */
  report(event: ImportEvent): void
}

export type ImportEvent =
  | { kind: 'remarks'; remarks: readonly string[] }
  | { kind: 'progress'; of: Stream | 'write' | 'check'; done: number; total: number | null }
  | { kind: 'moved'; stream: Stream; rows: number; refusals: readonly Refusal[] }
  | { kind: 'plan'; steps: readonly Step[] }
  | { kind: 'estimate'; stream: Stream; rows: number | null; ms: number | null }
  | { kind: 'written'; count: number; problems: readonly { step: Step; problem: string }[] }
  | {
      kind: 'checked'
      result: CheckResult
      /** The number of flags that were not compared. */
      incomparable: readonly Step[]
      /** Flags that were compared and differ from the source. */
      kept: readonly Step[]
    }

/** Why the target rejected events of a stream or left out parts of them, and how many. */
export interface Refusal {
  detail: string
  times: number
}

/**
 * @returns whether everything was written that the plan and the streams have, and flags that are as the source's evaluate to the same.
 * @throws CallError; Error for a source that lacks what was requested.
 */
export async function runImport(options: ImportOptions): Promise<boolean> {
  const { source, client, project, memory, apply, report } = options
  const items = await source.readItems()
  /** Results of checking the SQL of saved queries. */
  const checks = new Map<string, string | null>()
  report({ kind: 'remarks', remarks: source.remarks() })

  const write = (steps: readonly Step[], reading: ProjectReading) =>
    applySteps({
      client,
      project,
      ids: new Ids(reading.names),
      steps,
      mark: (remembered) => memory.rememberItems(remembered),
      progress: (done, total) => report({ kind: 'progress', of: 'write', done, total }),
    })

  let hasRefusals = false
  if (apply && options.streams.length > 0) {
    const { steps, reading } = await plan(options, items, checks)
    // Groups have the index of their type.
    await write(
      steps.filter(({ item }) => item.kind === 'group_type'),
      reading,
    )
    hasRefusals = await moveStreams(options)
  }
  const { steps, reading, persons } = await plan(options, items, checks)
  report({ kind: 'plan', steps })
  if (!apply) {
    await estimate(options)
    return true
  }
  const { written, problems } = await write(steps, reading)
  await rememberItems(options, { steps, written, persons })
  report({ kind: 'written', count: written.length, problems })
  const isSame = !options.check || (await check(options, items, steps))
  return problems.length === 0 && !hasRefusals && isSame
}

/** @throws CallError for a list that cannot be read. */
const readTarget = (client: Client, project: string, items: readonly Item[]) =>
  readProject({
    client,
    project,
    origin: null,
    members: 'all',
    settings: new Set(items.map(({ kind }) => kind)),
  })

async function plan(
  { client, project, memory, overwrite, apply, streams }: ImportOptions,
  items: readonly Item[],
  checks: Map<string, string | null>,
) {
  const reading = await readTarget(client, project, items)
  const members = [...new Set(items.flatMap((item) => item.members ?? []))]
  const persons = await findPersons(client, project, members)
  const facts = {
    targets: reading.items,
    memory: memory.items,
    overwrite,
    persons,
    awaitsPersons: !apply && streams.includes('person'),
    maxGroupTypes: MAX_GROUP_TYPES,
  }
  const steps = planImport({ ...facts, items })
  const checked = await checkQueries(client, project, steps, checks)
  if (checked.size === 0) return { steps, reading, persons }
  const runnable = items.map((item) => {
    const rejections = item.kind === 'query' ? checked.get(item.key) : undefined
    return rejections ? withoutRejected(item, rejections) : item
  })
  return { steps: planImport({ ...facts, items: runnable }), reading, persons }
}

/** Items as they are now, so that the next import sees what was edited since. */
async function rememberItems(
  { client, project, memory }: ImportOptions,
  {
    steps,
    written,
    persons,
  }: { steps: readonly Step[]; written: readonly Step[]; persons: ReadonlySet<string> },
): Promise<void> {
  const { items } = await readTarget(
    client,
    project,
    steps.map(({ item }) => item),
  )
  const here = new Map(items.map((item) => [itemId(item), item]))
  const known = new Set(written)
  const remembered: Record<string, Remembered | undefined> = {}
  for (const step of steps) {
    const id = itemId(step.item)
    const item = here.get(id)
    if (item && (step.action === 'same' || known.has(step)))
      remembered[id] = remember(step.item, item, persons)
    // It was rejected: one that is created here later is not of this import.
    else if (!item && step.action === 'create') remembered[id] = undefined
  }
  memory.rememberItems(remembered)
}

/** @returns whether the target refused something */
async function moveStreams(options: ImportOptions): Promise<boolean> {
  const { source, client, project, memory, overwrite, report } = options
  const { api_token: token } = await client.call<{ api_token: string }>('GET', project)
  let hasRefusals = false
  for (const stream of STREAMS.filter((each) => options.streams.includes(each))) {
    const total = await source.count(stream)
    const refusals = new Map<string, number>()
    const progress = (done: number) => report({ kind: 'progress', of: stream, done, total })
    progress(0)
    const rows = await moveStream(stream, {
      source,
      client,
      token,
      memory,
      overwrite,
      movesPeople: options.streams.includes('person') || memory.streams.person !== undefined,
      groupsHere: (page) => groupsHere(client, project, page),
      progress,
      refuse: (detail) => void refusals.set(detail, (refusals.get(detail) ?? 0) + 1),
    })
    report({
      kind: 'moved',
      stream,
      rows,
      refusals: [...refusals].map(([detail, times]) => ({ detail, times })),
    })
    hasRefusals ||= refusals.size > 0
  }
  return hasRefusals
}

async function groupsHere(
  client: Client,
  project: string,
  rows: readonly JsonObject[],
): Promise<Set<JsonObject>> {
  const here = new Set<JsonObject>()
  const types = await readList(client, `${project}groups_types/`)
  for (const { group_type: type, group_type_index: index } of types) {
    const own = rows.filter((row) => row.group_type === type)
    const keys = own.map(({ group_key: key }) => String(key))
    const found = await findGroups(client, project, Number(index), keys)
    for (const row of own) if (found.has(String(row.group_key))) here.add(row)
  }
  return here
}

/** Reports the number of rows, and how long they would take. */
async function estimate({ source, streams, report }: ImportOptions): Promise<void> {
  for (const stream of STREAMS.filter((each) => streams.includes(each))) {
    const rows = await source.count(stream)
    const begun = Date.now()
    const page = await source.readPage(stream, null)
    const pages = rows === null || !page?.rows.length ? null : Math.ceil(rows / page.rows.length)
    const ms = pages === null ? null : durationOf(pages, Date.now() - begun, source.pagesPerHour?.(stream))
    report({ kind: 'estimate', stream, rows, ms })
  }
}

const HOUR_MS = 3_600_000

/**
 * Returns the duration of an import. Each page takes as long as the first, twice, because it is read and written. Pages above a quota
 * wait for the next hour.
 */
export const durationOf = (pages: number, pageMs: number, perHour: number | null = null): number =>
  Math.max(pages * 2 * pageMs, perHour === null ? 0 : Math.floor((pages - 1) / perHour) * HOUR_MS)

/** @returns whether flags evaluate to the same on both sides, but for those that were edited here */
async function check(
  { source, client, project, report, streams, people = DEFAULT_CHECKED_PEOPLE }: ImportOptions,
  items: readonly Item[],
  steps: readonly Step[],
): Promise<boolean> {
  const all = steps.filter(({ item, action }) => item.kind === 'flag' && action !== 'blocked')
  const flags = all.filter(({ item }) => item.incomparable === undefined).map(({ item }) => item.key)
  if (source.evaluate === null || flags.length === 0) return true
  const isStored = streams.includes('person')
  const { subjects, known } = await readSubjects(source, items, { count: people, isStored })
  const both = { there: source.evaluate, here: evaluateWith(client, project) }
  const differences = await compareEvaluations(both, subjects, new Set(flags), (done) =>
    report({ kind: 'progress', of: 'check', done, total: people }),
  )
  const kept = all.filter(({ action }) => action === 'kept')
  report({
    kind: 'checked',
    result: { people: subjects.length, known, isStored, differences },
    incomparable: all.filter(({ item }) => item.incomparable !== undefined),
    kept,
  })
  const edited = new Set(kept.map(({ item }) => item.key))
  return differences.every(({ flag }) => edited.has(flag))
}
