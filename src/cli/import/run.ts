// Runs an import: reads both sides, plans, says what it would do, and does it where that is asked for.
import type { JsonObject } from '../../json'
import type { Client } from './client'
import { applySteps } from './apply'
import { checkQueries, withoutRejected } from './check-queries'
import { CHECKED_PEOPLE, checkReport, compareEvaluations, readSubjects } from './check-people'
import { type Item, type Source, type Stream, STREAMS } from './model'
import { moveStream } from './people'
import { itemId, planImport, remember, type Step } from './plan'
import { readList } from './posthog/lists'
import { findGroups, findPersons } from './posthog/people'
import { evaluateWith } from './posthog/source'
import { type ProjectReading, readProject } from './posthog/read-project'
import { createProgress, duration } from './progress'
import { listed, reportOf, STREAM_TITLES } from './report'
import { type ImportState, readState, writeState } from './state'
import { Ids } from './write/write-context'

/** As capture has it. */
const MAX_GROUP_TYPES = 5
/** Reasons that a stream's rows were refused for; more are counted. */
const MAX_REFUSALS = 20

export interface ImportOptions {
  source: Source
  client: Client
  /** `/api/projects/1/` */
  project: string
  /** For people. */
  targetTitle: string
  stateFile: string
  streams: readonly Stream[]
  apply: boolean
  overwrite: boolean
  check: boolean
  say(text: string): void
}

/** @returns whether everything was written that the plan has. @throws CallError; Error for a state file of another import. */
export async function runImport(options: ImportOptions): Promise<boolean> {
  const { source, client, project, apply, say, stateFile } = options
  const targetId = `${client.url} ${project}`
  const state = readState(stateFile, source.id, targetId)
  const save = () => writeState(stateFile, state)
  const items = await source.readItems()
  /** Of the SQL of saved queries. */
  const checks = new Map<string, string | null>()
  say(`From ${source.title}\nto   ${options.targetTitle}:\n\n`)
  for (const remark of source.remarks()) say(`${remark}\n`)

  const write = async (steps: readonly Step[], reading: ProjectReading) => {
    const progress = createProgress('Writing', process.stdout)
    const applied = await applySteps({
      client,
      project,
      ids: new Ids(reading.names),
      steps,
      mark(id, remembered) {
        state.items[id] = remembered
        save()
      },
      progress: (done, of) => process.stdout.isTTY && progress.show(done, of),
    })
    progress.end()
    return applied
  }

  if (apply && options.streams.length > 0) {
    const { steps, reading } = await plan(options, items, state, checks)
    // Groups have the index of their type.
    await write(
      steps.filter(({ item }) => item.kind === 'group_type'),
      reading,
    )
    await moveStreams(options, state, save)
  }
  const { steps, reading, persons } = await plan(options, items, state, checks)
  say(`${reportOf(steps).join('\n')}\n`)
  if (!apply) {
    await estimate(options)
    say('\nNothing was changed: this was a dry run. --apply writes.\n')
    return true
  }
  const { written, problems } = await write(steps, reading)
  await rememberItems(options, { steps, written, persons }, state, save)
  say(`\n${written.length} written.\n`)
  for (const { step, problem } of problems) say(`${step.item.key}: ${problem}\n`)
  if (options.check) await check(options, items, steps)
  return problems.length === 0
}

/** @throws CallError for a list that cannot be read. */
const readTarget = (client: Client, project: string) =>
  readProject({ client, project, origin: null, isStrict: true, members: 'all' })

async function plan(
  { client, project, overwrite, apply, streams }: ImportOptions,
  items: readonly Item[],
  state: ImportState,
  checks: Map<string, string | null>,
) {
  const reading = await readTarget(client, project)
  const members = [...new Set(items.flatMap((item) => item.members ?? []))]
  const persons = await findPersons(client, project, members)
  const facts = {
    targets: reading.items,
    memory: state.items,
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
  { client, project }: ImportOptions,
  {
    steps,
    written,
    persons,
  }: { steps: readonly Step[]; written: readonly Step[]; persons: ReadonlySet<string> },
  state: ImportState,
  save: () => void,
): Promise<void> {
  const { items } = await readTarget(client, project)
  const here = new Map(items.map((item) => [itemId(item), item]))
  const known = new Set(written)
  for (const step of steps) {
    const item = here.get(itemId(step.item))
    if (item && (step.action === 'same' || known.has(step)))
      state.items[itemId(item)] = remember(step.item, item, persons)
  }
  save()
}

async function moveStreams(options: ImportOptions, state: ImportState, save: () => void): Promise<void> {
  const { source, client, project, say } = options
  const { api_token: token } = await client.call<{ api_token: string }>('GET', project)
  for (const stream of STREAMS.filter((each) => options.streams.includes(each))) {
    const title = STREAM_TITLES[stream]
    const count = await source.count(stream)
    const progress = createProgress(title, process.stdout)
    const refusals = new Map<string, number>()
    const moved = await moveStream(stream, {
      source,
      client,
      token,
      state,
      save,
      overwrite: options.overwrite,
      groupsHere: (rows) => groupsHere(client, project, rows),
      progress: (_, rows) => progress.show(rows, count),
      refuse: (_, detail) => void refusals.set(detail, (refusals.get(detail) ?? 0) + 1),
    })
    progress.end()
    say(`${title}: ${moved} moved.\n`)
    for (const [detail, times] of [...refusals].slice(0, MAX_REFUSALS)) say(`  ${times} refused: ${detail}\n`)
  }
  say('\n')
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

/** Says how many rows there are, and how long they would take: as long as the first page, twice. */
async function estimate({ source, streams, say }: ImportOptions): Promise<void> {
  for (const stream of STREAMS.filter((each) => streams.includes(each))) {
    const count = await source.count(stream)
    const begun = Date.now()
    const page = await source.readPage(stream, null)
    const pages = count === null || !page?.rows.length ? null : Math.ceil(count / page.rows.length)
    const time = pages === null ? '' : `, about ${duration(pages * 2 * (Date.now() - begun))}`
    say(
      `${STREAM_TITLES[stream]}: ${count === null ? 'an unknown number' : count.toLocaleString('en-US')}${time}\n`,
    )
  }
}

async function check(
  { source, client, project, say }: ImportOptions,
  items: readonly Item[],
  steps: readonly Step[],
) {
  const all = steps.filter(({ item, action }) => item.kind === 'flag' && action !== 'blocked')
  const flags = all.filter(({ item }) => item.incomparable === undefined).map(({ item }) => item.key)
  const incomparable = all.filter(({ item }) => item.incomparable !== undefined)
  if (source.evaluate === null || flags.length === 0) return
  const groupTypes = items.filter(({ kind }) => kind === 'group_type').map(({ key }) => key)
  const { subjects, known } = await readSubjects(source, groupTypes)
  const progress = createProgress('Checking', process.stdout)
  const both = { there: source.evaluate, here: evaluateWith(client, project) }
  const differences = await compareEvaluations(both, subjects, new Set(flags), (done) =>
    progress.show(done, CHECKED_PEOPLE),
  )
  progress.end()
  say(`${checkReport({ people: subjects.length, known, differences }).join('\n')}\n`)
  if (incomparable.length > 0)
    say(
      `Not compared: ${listed(incomparable.map(({ item }) => item.key))}: ${incomparable[0]!.item.incomparable}\n`,
    )
  const kept = steps.filter(({ action, item }) => action === 'kept' && item.kind === 'flag')
  if (kept.length > 0)
    say(`Kept as here, and checked with the others: ${listed(kept.map(({ item }) => item.key))}\n`)
}
