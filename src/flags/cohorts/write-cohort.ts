// Creates, updates, deletes and restores cohorts. Every write begins a generation, so that a write whose plan is outdated fails.
import type * as z from 'zod'
import { cohorts } from '../../../drizzle'
import { diff } from '../../activity/diff'
import { isObject, sameJson } from '../../json'
import { verbOf } from '../../activity/verb'
import { recordActivity } from '../../activity/record'
import { cohortFrom, type CohortRecord, selectCohortRecords } from './cohort-record'
import { cohortById, cohortOf } from './read-cohorts'
import { invalid, notFound } from '../../errors'
import { cohortBytes, requireRoom, selectDefinitionBytes } from '../../snapshots/definition-quota'
import { bumpGeneration, guardFence, selectFence } from '../../storage/flags-generation'
import { retryOnConflict } from '../../storage/retry-on-conflict'
import { runBatch } from '../../storage/run-batch'
import { type FlagContext, publishChange } from '../context'
import { nestedCohortIds } from '../filters/cohorts'
import { type CohortFilters, filtersOfGroups, validateCohortFilters } from './cohort-filters'
import { idsInCsv, type MemberIds } from './csv'
import { type Addition, copyMembers, findMembers, type Members, prepareAddition } from './members'
import { insertCohort, newCohortId } from './new-cohort'
import { checkReferences, checkUnused, selectCohortGraph, selectFlagsOfCohort } from './references'

export interface CohortBody {
  name?: string | null
  description?: string
  filters?: Record<string, unknown> | null
  groups?: readonly unknown[] | null
  is_static?: boolean
  deleted?: boolean
  query?: unknown
  csv?: string | null
  _create_static_person_ids?: readonly string[]
}

type Shown = z.output<typeof CohortRecord>

/** @throws 400 for fields of upstream that have no function here. */
function checkFields(body: CohortBody): void {
  if (body.query !== undefined && body.query !== null)
    throw invalid('query', 'Cohorts of queries are not supported here: use filters, or a list of persons.')
}

/** Returns the filters of a body, also of one in the legacy form, or undefined. @throws 400, attr `groups`, for both forms */
function filtersIn({ filters, groups }: CohortBody): CohortFilters | null | undefined {
  if (!groups || groups.length === 0) return filters
  if ((filters ?? null) !== null)
    throw invalid('groups', 'Send the conditions either as filters or as groups.')
  return filtersOfGroups(groups)
}

/** Returns the persons that a body lists, or null. @throws 400 for an invalid CSV file, and for two lists */
function membersIn({ csv, _create_static_person_ids: personIds }: CohortBody): MemberIds | null {
  if (csv !== undefined && csv !== null) {
    if (personIds && personIds.length > 0)
      throw invalid('_create_static_person_ids', 'Send the persons either as csv or as a list of ids.')
    return idsInCsv(csv)
  }
  return personIds
    ? { field: '_create_static_person_ids', kind: 'person_id', ids: [...new Set(personIds)] }
    : null
}

/** @throws 400 naming the field. */
export async function createCohort(context: FlagContext, body: CohortBody): Promise<Shown> {
  const { deps, project } = context
  const { db } = deps
  checkFields(body)
  const isStatic = body.is_static ?? false
  const sent = filtersIn(body)
  const list = membersIn(body)
  checkKind(isStatic, sent, list)
  const filters = isStatic ? null : validateCohortFilters(sent!, null)
  const now = deps.clock.now()
  const id = newCohortId(project.id)
  const members = list && (await findMembers(db, project.id, list))
  const addition = isStatic ? prepareAddition(context, id, members ?? { uuids: [] }, now) : null
  const record = await retryOnConflict(async () => {
    const references = filters ? nestedCohortIds({ filters }) : []
    const [[fence], graph, [used]] = await db.batch([
      selectFence(db, project.id),
      selectCohortGraph(db, project.id, references),
      selectDefinitionBytes(db, project.id),
    ])
    if (filters) checkReferences(filters, null, graph)
    requireRoom(used!.bytes, cohortBytes(filters))
    const results = await runBatch(db, [
      guardFence(db, project.id, fence!.generation),
      ...insertCohort(
        context,
        { name: body.name ?? '', description: body.description ?? '', isStatic, filters },
        now,
      ),
      ...(addition?.statements ?? []),
      bumpGeneration(db, project.id),
      selectCohortRecords(db, cohortById(id)),
    ])
    return cohortFrom((results.at(-1) as Parameters<typeof cohortFrom>)[0])
  })
  if (addition && members) copyMembers(context, record.id, addition, members)
  await publishChange(context)
  return withUnknown(record, members)
}

const withUnknown = (record: Shown, members: Members | null): Shown =>
  members && members.unknown.length > 0 ? { ...record, unknown_ids: [...members.unknown] } : record

function checkKind(
  isStatic: boolean,
  filters: CohortFilters | null | undefined,
  list: MemberIds | null,
): void {
  if (!isStatic) {
    if (list) throw invalid('is_static', 'Must be true for a cohort with a list of persons.')
    if ((filters ?? null) === null) throw invalid('filters', 'This field is required.', 'required')
  } else if (!isBlank(filters)) {
    throw invalid(
      'filters',
      'A static cohort has a list of persons and no conditions: send `csv` or `_create_static_person_ids`, or set `is_static` to false.',
    )
  } else if (!list) {
    throw invalid(
      'csv',
      'Invalid source for static cohort. Requires a csv, or `_create_static_person_ids`, which may be empty.',
      'required',
    )
  }
}

/** Whether filters have no condition, and nothing else that a static cohort would ignore. Clients send such filters with its record. */
function isBlank(filters: CohortFilters | null | undefined): boolean {
  const { properties = null, ...others } = filters ?? {}
  if (Object.keys(others).length > 0) return false
  if (properties === null) return true
  if (!isObject(properties)) return false
  const { type: _, values = [], ...rest } = properties
  return Array.isArray(values) && values.length === 0 && Object.keys(rest).length === 0
}

const STATE_FIELDS = ['name', 'description', 'filters', 'deleted'] as const
type State = Pick<Shown, (typeof STATE_FIELDS)[number]>

/**
 * Updates a cohort. `deleted` deletes or restores it. Persons in a list are added to a static cohort.
 * @throws 404; 400 naming the field
 */
export async function updateCohort(context: FlagContext, id: number, body: CohortBody): Promise<Shown> {
  const { deps, actor, project } = context
  const { db } = deps
  checkFields(body)
  const list = membersIn(body)
  const members = list && (await findMembers(db, project.id, list))
  const now = deps.clock.now()
  const { record, addition } = await retryOnConflict(async () => {
    const sent = filtersIn(body)
    const isCohort = cohortOf(project.id, id)
    const [[row], [fence], graph, flags, [used]] = await db.batch([
      selectCohortRecords(db, isCohort),
      selectFence(db, project.id),
      selectCohortGraph(db, project.id, sent ? nestedCohortIds({ filters: sent }) : { namedBy: id }),
      selectFlagsOfCohort(db, project.id, id),
      selectDefinitionBytes(db, project.id),
    ])
    if (!row) throw notFound()
    const before = cohortFrom(row)
    if (body.is_static !== undefined && body.is_static !== before.is_static)
      throw invalid('is_static', 'A cohort stays static or dynamic: create another one.')
    if (list && !before.is_static) throw invalid(list.field, 'Only static cohorts have a list of persons.')
    const after: State = {
      name: body.name === undefined ? before.name : (body.name ?? ''),
      description: body.description ?? before.description,
      filters: filtersAfter(before, sent),
      deleted: body.deleted ?? before.deleted,
    }
    const isRestored = before.deleted && !after.deleted
    if (after.deleted && !before.deleted) checkUnused(id, flags, graph)
    if (after.filters && !after.deleted && (isRestored || !sameJson(before.filters, after.filters)))
      checkReferences(after.filters, id, graph)
    const changes = diff<State>('Cohort', STATE_FIELDS, before, after)
    const added = members ? prepareAddition(context, id, members, now) : null
    if (changes.length === 0 && !added) return { record: before, addition: null }
    requireRoom(used!.bytes, countedBytes(after) - countedBytes(before))
    const results = await runBatch(db, [
      guardFence(db, project.id, fence!.generation),
      db.update(cohorts).set(after).where(isCohort),
      ...(added?.statements ?? []),
      recordActivity(deps, now, {
        projectId: project.id,
        actor,
        scope: 'Cohort',
        itemId: String(id),
        verb: verbOf(before.deleted, after.deleted),
        name: after.name,
        changes,
      }),
      bumpGeneration(db, project.id),
      selectCohortRecords(db, isCohort),
    ])
    const [written] = results.at(-1) as Parameters<typeof cohortFrom>
    return { record: cohortFrom(written), addition: added satisfies Addition | null }
  })
  if (addition && members) copyMembers(context, id, addition, members satisfies Members)
  await publishChange(context)
  return withUnknown(record, members)
}

const countedBytes = ({ deleted, filters }: State) => (deleted ? 0 : cohortBytes(filters))

/** @throws 400, attr `filters`. */
function filtersAfter(before: Shown, sent: CohortFilters | null | undefined): CohortFilters | null {
  if (sent === undefined || sameJson(sent, before.filters)) return before.filters
  if (!before.is_static) {
    if (sent === null) throw invalid('filters', 'This field may not be null.', 'null')
    return validateCohortFilters(sent, before.filters)
  }
  if (!isBlank(sent))
    throw invalid(
      'filters',
      'Editing the criteria of a static cohort is not supported yet. Create a new static cohort instead.',
    )
  return before.filters
}
