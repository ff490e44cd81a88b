// Random sequences of everything that changes flags leave a project consistent, after each step.
import { env } from 'cloudflare:workers'
import { asc, eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activityLog, cohorts, featureFlags, flagTags } from '../../../drizzle'
import { referencesOf } from '../../../src/flags/filters/analysis'
import { propertiesIn } from '../../../src/flags/filters/flag-filters'
import { runDueChanges } from '../../../src/flags/scheduled/run-changes'
import { CallError } from '../../../src/import/call'
import { FlagFileError } from '../../../src/import/flag-file/file'
import { runFlags } from '../../../src/import/flag-file/run'
import type { Client } from '../../../src/import/client'
import { changeFlag, createFlag } from '../../../src/import/write/change-flag'
import { type JsonObject, type JsonValue, sameJson } from '../../../src/json'
import { createProjectObjects } from '../../../src/project/project-client'
import { createMeter } from '../../../src/storage/metered-d1'
import { toApiTimestamp } from '../../../src/timestamps'
import { dependsOn, inCohort, open, where } from '../../support/filters'
import { propertyRuns } from '../../support/property-runs'
import { createTenant, database, type Tenant } from '../../support/tenant'
import { colleague, policies, policy, requests } from '../approvals/support'

const objects = createProjectObjects(env.PROJECTS, createMeter())

/** A project with the ids of what its steps made. */
interface World {
  tenant: Tenant
  grace: Tenant
  flags: number[]
  cohorts: number[]
  /** Each record that was read, by flag and version. */
  records: Map<number, Map<number, Record<string, unknown>>>
}

const slot = fc.nat({ max: 4 })
const condition = fc.oneof(
  fc.record({ kind: fc.constant('open' as const) }),
  fc.record({ kind: fc.constant('flag' as const), at: slot }),
  fc.record({ kind: fc.constant('cohort' as const), at: slot }),
  fc.record({ kind: fc.constant('variant' as const), at: slot, value: fc.constantFrom('v', 'w') }),
)
type Condition = typeof condition extends fc.Arbitrary<infer T> ? T : never

/** Filters of a condition; those of everyone while there is nothing to name. */
function filtersOf(world: World, { kind, ...named }: Condition): JsonObject {
  const ids = kind === 'cohort' ? world.cohorts : kind === 'open' ? [] : world.flags
  const id = ids.length > 0 && 'at' in named ? ids[named.at % ids.length] : undefined
  if (id === undefined) return open() as JsonObject
  if (kind === 'cohort') return where(inCohort(id)) as JsonObject
  return where(dependsOn(id, 'value' in named ? { value: named.value } : {})) as JsonObject
}

const key = fc.constantFrom('a', 'b', 'c', 'd')
/** Shares of variants; none for a flag that is on or off. */
const shares = fc.constantFrom<Record<string, number>>({}, { v: 100 }, { w: 50, v: 50 }, { w: 100 })
const single = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      key,
      condition,
      active: fc.boolean(),
      deleted: fc.option(fc.constant(true), { freq: 5, nil: undefined }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('patch' as const),
      at: slot,
      condition: fc.option(condition, { nil: undefined }),
      shares: fc.option(shares, { nil: undefined }),
      body: fc.record(
        {
          active: fc.boolean(),
          deleted: fc.boolean(),
          archived: fc.boolean(),
          key,
          name: fc.constantFrom('', 'one'),
          tags: fc.constantFrom([], ['x'], ['y']),
          rollback_conditions: fc.constantFrom(null, [], { at: 1 }),
          created_at: fc.constant('2026-01-01T00:00:00Z'),
          evaluation_contexts: fc.constantFrom([], ['web'], ['ios']),
          ensure_experience_continuity: fc.constantFrom(null, false, true),
          has_enriched_analytics: fc.constantFrom(null, false, true),
          bucketing_identifier: fc.constantFrom(null, 'distinct_id', 'device_id'),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      ats: fc.array(slot, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('delete by filter' as const),
      filters: fc.constantFrom({ active: false }, { tags: 'X' }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('restore' as const),
      ats: fc.array(slot, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('tag' as const),
      at: slot,
      action: fc.constantFrom('add', 'remove', 'set'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('schedule' as const),
      at: slot,
      operation: fc.constantFrom('update_status', 'add_release_condition', 'update_variants'),
      value: fc.boolean(),
      condition,
      shares,
      minutes: fc.constantFrom(1, 5),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('approve' as const),
      at: slot,
      action: fc.constantFrom('feature_flag.enable', 'feature_flag.update'),
      condition,
      meanwhile: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('import' as const), at: slot, key, condition }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('go back' as const),
      at: slot,
      version: fc.nat({ max: 6 }),
      whole: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('cohort' as const), at: slot, deleted: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('nest' as const),
      at: slot,
      within: slot,
      method: fc.constantFrom('PATCH', 'PUT', 'POST'),
      deleted: fc.option(fc.boolean(), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('static cohort' as const), at: slot, ofFlag: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('dashboard' as const),
      at: slot,
      path: fc.constantFrom('dashboard', 'enrich_usage_dashboard'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('file' as const),
      keys: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }),
      active: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      shares,
      cohort: fc.boolean(),
      prune: fc.boolean(),
    }),
  },
)
/** Filters as they are stored: then they are compared as they are sent. */
const STORED = {
  aggregation_group_type_index: null,
  groups: [{ properties: [], rollout_percentage: 100, aggregation_group_type_index: null }],
}

type Single = typeof single extends fc.Arbitrary<infer T> ? T : never

const step = fc.oneof(
  { weight: 8, arbitrary: single },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('at once' as const),
      // Two policies of one action are a 400.
      steps: fc
        .array(single, { minLength: 2, maxLength: 4 })
        .filter((steps) => steps.filter((each) => each.do === 'approve').length < 2),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stale' as const),
      at: slot,
      meanwhile: single,
      fields: fc.record(
        {
          name: fc.constantFrom('', 'one', 'two'),
          tags: fc.constantFrom([], ['x'], ['x', 'y']),
          active: fc.boolean(),
          filters: fc.constantFrom(STORED, { ...STORED, ...variantsOf({ v: 100 }) }),
        },
        { requiredKeys: [] },
      ),
      isWhole: fc.boolean(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const clientOf = ({ tenant }: World): Client =>
  ({
    async call(method: string, path: string, body?: unknown) {
      const response = await tenant.send(method, path, {
        headers: { Authorization: `Bearer ${tenant.key}` },
        ...(body === undefined ? {} : { body }),
      })
      if (response.status >= 400) throw new CallError(response.status, JSON.stringify(response.body))
      return response.body
    },
  }) as unknown as Client

/** The statuses of a step's calls. */
async function take(world: World, made: Step): Promise<number[]> {
  if (made.do === 'at once') return (await Promise.all(made.steps.map((each) => takeOne(world, each)))).flat()
  return made.do === 'stale' ? takeStale(world, made) : takeOne(world, made)
}

/** What a caller may mean to change. */
const MEANT = ['name', 'tags', 'active', 'filters', 'deleted', 'archived', 'rollback_conditions'] as const

/** An update by a caller who read the flag before another change: it changes what is meant, or is a conflict, and takes nothing back. */
async function takeStale(world: World, { fields, ...made }: Step & { do: 'stale' }): Promise<number[]> {
  const { tenant } = world
  const path = tenant.flags(world.flags[made.at % Math.max(world.flags.length, 1)] ?? 1)
  const { status, body: original } = await tenant.get(path)
  const statuses = await takeOne(world, made.meanwhile)
  const current = await tenant.get(path)
  if (status !== 200 || current.status !== 200) return statuses
  const sent = await tenant.patch(path, {
    ...(made.isWhole ? original : {}),
    ...fields,
    version: original.version,
    original_flag: original,
  })
  const after = (await tenant.get(path)).body as JsonObject
  for (const field of MEANT) {
    const meant: unknown = field in fields ? fields[field as keyof typeof fields] : original[field]
    const isMeant = !isSame(meant, original[field])
    const isOvertaken =
      isMeant && !isSame(current.body[field], original[field]) && !isSame(meant, current.body[field])
    const isWritten = isMeant && sent.status === 200
    expect([field, after[field], isOvertaken && sent.status === 200]).toEqual([
      field,
      isWritten ? after[field] : current.body[field],
      false,
    ])
  }
  return [...statuses, sent.status]
}

const isSame = (a: unknown, b: unknown): boolean =>
  sameJson(logged(withoutNames(a)) as JsonValue, logged(withoutNames(b)) as JsonValue)

/** Without what reads add to filters: the names of cohorts. */
const withoutNames = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (name, member: unknown) => (name === 'cohort_name' ? undefined : member)),
  )

async function takeOne(world: World, made: Single): Promise<number[]> {
  const { tenant, grace } = world
  const idAt = (at: number) => world.flags[at % Math.max(world.flags.length, 1)] ?? 1
  const send = async (sent: ReturnType<Tenant['post']>) => [(await sent).status]
  switch (made.do) {
    case 'create': {
      const { active, condition: named, deleted } = made
      const body = { key: made.key, active, filters: filtersOf(world, named), ...(deleted && { deleted }) }
      const response = await tenant.post(tenant.flags(), body)
      if (response.status === 201) world.flags.push(response.body.id)
      return [response.status]
    }
    case 'patch': {
      const { shares: sent, condition: named } = made
      const filters =
        named || sent
          ? { filters: { ...filtersOf(world, named ?? { kind: 'open' }), ...(sent && variantsOf(sent)) } }
          : {}
      return send(tenant.patch(tenant.flags(idAt(made.at)), { ...made.body, ...filters }))
    }
    case 'delete':
      return send(tenant.post(tenant.flags('bulk_delete'), { ids: made.ats.map(idAt) }))
    case 'delete by filter':
      return send(tenant.post(tenant.flags('bulk_delete'), { filters: made.filters }))
    case 'restore':
      return send(tenant.post(tenant.flags('bulk_restore'), { ids: made.ats.map(idAt) }))
    case 'tag':
      return send(
        tenant.post(tenant.flags('bulk_update_tags'), {
          ids: [idAt(made.at)],
          action: made.action,
          tags: ['x'],
        }),
      )
    case 'schedule': {
      const at = new Date(tenant.clock.now().getTime() + made.minutes * 60_000)
      const { status } = await tenant.post(`/api/projects/${tenant.projectId}/scheduled_changes/`, {
        record_id: idAt(made.at),
        model_name: 'FeatureFlag',
        payload: { operation: made.operation, value: scheduledValue(world, made) },
        scheduled_at: at.toISOString(),
      })
      tenant.clock.advance({ minutes: 2 })
      const { writeFlag: write } = objects
      const run = { db: database(), write, log: () => {} }
      await runDueChanges(run, tenant.projectId, tenant.clock.now())
      return [status]
    }
    case 'approve': {
      const rule = await policy(tenant, [grace], { action_key: made.action })
      const body =
        made.action === 'feature_flag.enable'
          ? { active: true }
          : { filters: filtersOf(world, made.condition) }
      const held = await tenant.patch(tenant.flags(idAt(made.at)), body)
      // What the request relies on may go while it waits.
      const [other] = world.cohorts
      const gone =
        made.meanwhile && other !== undefined
          ? [(await tenant.patch(cohortPath(tenant, other), { deleted: true })).status]
          : []
      const request = held.body.change_request_id as string | undefined
      const voted = request ? [(await grace.post(requests(grace, `${request}/approve`))).status] : []
      const ended = await tenant.delete(policies(tenant, rule.id))
      return [held.status, ...gone, ...voted, ended.status]
    }
    case 'import': {
      const client = clientOf(world)
      try {
        await createFlag(
          client,
          tenant.flags(),
          { key: made.key, filters: filtersOf(world, made.condition) },
          (id) => world.flags.push(id),
        )
        const path = tenant.flags(idAt(made.at))
        const read = (await tenant.get(path)).body as JsonObject
        await changeFlag(client, path, { active: true, tags: ['z'] }, read)
        return [200]
      } catch (error) {
        if (error instanceof CallError) return [error.status ?? 599]
        throw error
      }
    }
    case 'go back': {
      const path = tenant.flags(idAt(made.at))
      const { status, body } = await tenant.get(tenant.flags(`${idAt(made.at)}/versions/${made.version}`))
      if (status !== 200) return [status]
      const { name, filters, active, deleted } = body
      const sent = await tenant.patch(path, made.whole ? body : { name, filters, active, deleted })
      return [status, sent.status]
    }
    case 'nest': {
      const [id, inner] = [made.at, made.within].map((at) => world.cohorts[at % world.cohorts.length]!)
      const values = [{ type: 'AND', values: [{ key: 'id', type: 'cohort', value: inner }] }]
      const filters = { properties: { type: 'OR', values } }
      if (made.method === 'POST') return addCohort(world, tenant.post(cohortPath(tenant), { filters }))
      const body = { filters, ...(made.deleted === undefined ? {} : { deleted: made.deleted }) }
      const headers = { Authorization: `Bearer ${tenant.key}` }
      return send(tenant.send(made.method, cohortPath(tenant, id!), { headers, body }))
    }
    case 'static cohort': {
      const list = { is_static: true, _create_static_person_ids: [] }
      return addCohort(
        world,
        made.ofFlag
          ? tenant.post(tenant.flags(`${idAt(made.at)}/create_static_cohort_for_flag`), {})
          : tenant.post(cohortPath(tenant), list),
      )
    }
    case 'dashboard':
      return send(tenant.post(tenant.flags(`${idAt(made.at)}/${made.path}`), {}))
    case 'file': {
      const flags = Object.fromEntries(
        made.keys.map((each, at) => [each, { active: made.active[at], filters: fileFilters(made, at) }]),
      )
      const applied = await runFlags({
        action: 'apply',
        name: 'halyard.json',
        text: JSON.stringify({ flags }),
        client: clientOf(world),
        project: `/api/projects/${tenant.projectId}/`,
        title: 'the project',
        prune: made.prune,
        managedOnly: false,
        say: () => {},
        write: () => {},
        confirm: () => Promise.resolve(true),
        progress: () => {},
      }).catch((error: unknown) => {
        if (error instanceof CallError) return error.status ?? 599
        if (error instanceof FlagFileError) return 400
        throw error
      })
      const { body } = await tenant.get(`${tenant.flags()}?limit=100`)
      for (const { id } of body.results as { id: number }[])
        if (!world.flags.includes(id)) world.flags.push(id)
      return [typeof applied === 'number' ? applied : 200]
    }
    case 'cohort': {
      const id = world.cohorts[made.at % Math.max(world.cohorts.length, 1)]
      return id === undefined ? [] : send(tenant.patch(cohortPath(tenant, id), { deleted: made.deleted }))
    }
  }
}

async function addCohort(world: World, sent: ReturnType<Tenant['post']>): Promise<number[]> {
  const { status, body } = await sent
  if (status < 300) world.cohorts.push((body.cohort ?? body).id)
  return [status]
}

function variantsOf(sent: Record<string, number>) {
  const variants = Object.entries(sent).map(([name, rollout_percentage]) => ({
    key: name,
    rollout_percentage,
  }))
  return { multivariate: { variants } }
}

function scheduledValue(world: World, made: Single & { do: 'schedule' }): unknown {
  if (made.operation === 'update_status') return made.value
  if (made.operation === 'add_release_condition') return { groups: filtersOf(world, made.condition).groups }
  return variantsOf(made.shares).multivariate
}

/** Of a flag in a file: the first has variants, and each of the others depends on the one before it. */
function fileFilters(made: Single & { do: 'file' }, at: number): JsonObject {
  if (at > 0)
    return where(
      dependsOn(made.keys[at - 1], at === 1 && 'v' in made.shares ? { value: 'v' } : {}),
    ) as JsonObject
  const filters = made.cohort ? where(inCohort('first')) : open()
  return { ...filters, ...variantsOf(made.shares) } as JsonObject
}

const cohortPath = ({ projectId }: Tenant, id: number | '' = '') =>
  `/api/projects/${projectId}/cohorts/${id === '' ? '' : `${id}/`}`

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0)

/** A value as the log has it: empty ones are null. */
const logged = (value: unknown) => (isNothing(value) ? null : value)

const CHAINED = [
  ...(['key', 'name', 'filters', 'deleted', 'active', 'archived', 'version'] as const),
  ...(['rollback_conditions', 'created_at', 'tags'] as const),
]

interface Row {
  id: number
  filters: unknown
}

/** Variants that a flag expects of others, which do not have them. */
function missingVariants(filters: unknown, flags: readonly Row[]): unknown[] {
  return propertiesIn(filters)
    .filter(({ type, value }) => type === 'flag' && typeof value === 'string')
    .filter(({ key: id, value }) => {
      const other = flags.find((flag) => flag.id === Number(id))
      return !JSON.stringify((other?.filters as JsonObject | undefined)?.multivariate ?? null).includes(
        `"key":"${String(value)}"`,
      )
    })
}

async function expectConsistent({ tenant }: World): Promise<void> {
  const { projectId } = tenant
  const db = database()
  const [flags, groups, tags, log] = await db.batch([
    db.select().from(featureFlags).where(eq(featureFlags.projectId, projectId)),
    db.select().from(cohorts).where(eq(cohorts.projectId, projectId)),
    db.select().from(flagTags).where(eq(flagTags.projectId, projectId)).orderBy(asc(flagTags.name)),
    db
      .select()
      .from(activityLog)
      .where(eq(activityLog.projectId, projectId))
      .orderBy(asc(activityLog.sequence)),
  ])
  const isOn = (id: number) => flags.some((flag) => flag.id === id && flag.active && !flag.deleted)
  const isCohort = (id: number) => groups.some((cohort) => cohort.id === id && !cohort.deleted)
  for (const flag of flags) {
    const { flagIds, cohortIds } = referencesOf(flag.filters)
    if (isOn(flag.id))
      expect({
        flags: flagIds.filter((id) => !isOn(id)),
        cohorts: cohortIds.filter((id) => !isCohort(id)),
      }).toEqual({
        flags: [],
        cohorts: [],
      })
    if (isOn(flag.id)) expect(missingVariants(flag.filters, flags)).toEqual([])

    const changes = log
      .filter(({ scope, itemId }) => scope === 'FeatureFlag' && itemId === String(flag.id))
      .flatMap(({ detail }) => detail.changes)
    const current = {
      ...flag,
      rollback_conditions: flag.rollbackConditions,
      created_at: toApiTimestamp(flag.createdAt),
      tags: tags.filter(({ flagId }) => flagId === flag.id).map(({ name }) => name),
    }
    for (const field of CHAINED) {
      const own = changes.filter((change) => change.field === field)
      const values = [...own.map(({ before }) => logged(before)), logged(current[field])]
      // What each change found is what the one before it left, and the record is what the last one left.
      expect({ flag: flag.id, field, values: values.slice(1) }).toEqual({
        flag: flag.id,
        field,
        values: own.map(({ after }) => logged(after)),
      })
    }
    const versions = changes.filter(({ field }) => field === 'version').map(({ after }) => after)
    expect(versions).toEqual(Array.from({ length: flag.version - 1 }, (_, at) => at + 2))
  }

  const evaluated = await tenant.send('POST', '/flags/?v=2', {
    body: { token: tenant.projectToken, distinct_id: 'somebody' },
  })
  expect([evaluated.status, evaluated.body.errorsWhileComputingFlags]).toEqual([200, false])
}

/** What a version of a flag is, however and whenever it is read. */
const OF_VERSION = [
  ...(['key', 'name', 'filters', 'deleted', 'active', 'archived', 'rollback_conditions', 'tags'] as const),
  ...(['evaluation_contexts', 'ensure_experience_continuity', 'has_enriched_analytics'] as const),
  ...(['bucketing_identifier', 'created_at', 'updated_at'] as const),
]

/** Whatever changes a flag begins a version: the record of one never changes. */
async function noteRecords({ tenant, flags, records }: World): Promise<void> {
  for (const id of new Set(flags)) {
    const { status, body } = await tenant.get(tenant.flags(id))
    if (status !== 200) continue
    const known = records.get(id) ?? new Map<number, Record<string, unknown>>()
    records.set(id, known)
    const shown = Object.fromEntries(OF_VERSION.map((field) => [field, withoutNames(body[field])]))
    expect({ id, version: body.version, ...shown }).toEqual({
      id,
      version: body.version,
      ...(known.get(body.version) ?? shown),
    })
    known.set(body.version, shown)
  }
}

/** Versions that are read later are what the flag was. */
async function expectVersions({ tenant, records }: World): Promise<void> {
  for (const [id, known] of records) {
    if ((await tenant.get(tenant.flags(id))).status !== 200) continue
    for (const [version, { updated_at: at, ...noted }] of known) {
      const { status, body } = await tenant.get(tenant.flags(`${id}/versions/${version}`))
      const fields = Object.keys(noted).filter((field) => field in (body ?? {}))
      const of = (record: Record<string, unknown>) => fields.map((field) => [field, record[field]])
      expect({ id, version, status, at: body?.version_timestamp, fields: of(body) }).toEqual({
        id,
        version,
        status: 200,
        // The first one has the time of the flag's creation, which can be changed.
        at: version === 1 ? expect.any(String) : at,
        fields: of(noted),
      })
    }
  }
}

async function newWorld(): Promise<World> {
  const tenant = await createTenant({ level: 8 })
  const grace = await colleague(tenant)
  const world: World = { tenant, grace, flags: [], cohorts: [], records: new Map() }
  const values = [{ type: 'OR', values: [{ type: 'person', key: 'a', operator: 'exact', value: ['b'] }] }]
  for (const name of ['first', 'second']) {
    const filters = { properties: { type: 'OR', values } }
    world.cohorts.push((await tenant.post(cohortPath(tenant), { name, filters })).body.id)
  }
  return world
}

describe('any sequence of changes', () => {
  it('leaves no enabled flag without what it depends on, and no gap in versions and log', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 20 }), async (steps) => {
        const world = await newWorld()
        for (const made of steps) {
          const statuses = await take(world, made)
          expect(statuses.filter((status) => status >= 500)).toEqual([])
          await expectConsistent(world)
          await noteRecords(world)
          world.tenant.clock.advance({ seconds: 1 })
        }
        await expectVersions(world)
      }),
      { numRuns: propertyRuns(4, 150) },
    )
  }, 600_000)
})
