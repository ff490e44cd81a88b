// When a stored query has to be compiled again before it runs.
import { env } from 'cloudflare:workers'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { endpointVersions, queryVariables } from '../../../drizzle'
import { COMPILER_VERSION, isStaleSql } from '../../../src/endpoints/compile/compiled-version'
import { define, hogql } from '../../support/endpoints/endpoints'
import { cohort } from '../../support/database/rows'
import { run } from '../../support/endpoints/runs'
import { createTenant, database } from '../../support/tenant'

/** What ClickHouse calls a number that may be missing. */
const FLOAT = 'Nullable(Float64)'

async function arranged() {
  const tenant = await createTenant()
  await define(tenant, { owner: 'event', name: 'amount', type: 'Numeric' })
  const variable = await tenant.variable({ name: 'Plan' })
  const { name, current_version_id: id } = await tenant.endpoint({
    query: hogql(
      'SELECT sum(properties.amount), max(properties.later) FROM events WHERE person.properties.plan = {variables.plan}',
    ),
  })
  const isStale = async (timezone = 'UTC') => {
    const [row] = await database()
      .select({ stale: isStaleSql(timezone).as('stale') })
      .from(endpointVersions)
      .where(eq(endpointVersions.id, id))
    return Boolean(row!.stale)
  }
  const compiledWith = (path: string, value: unknown) =>
    env.DB.prepare('UPDATE endpoint_versions SET compiled = json_set(compiled, ?1, ?2) WHERE id = ?3')
      .bind(path, value, id)
      .run()
  return { tenant, variable, id, name, isStale, compiledWith }
}

describe('a compiled version', () => {
  it('stays valid while nothing changes', async () => {
    const { tenant, isStale } = await arranged()
    await define(tenant, { owner: 'event', name: 'other', type: 'Numeric' })
    await define(tenant, { owner: 'group_0', name: 'amount', type: 'String' })
    await define(await createTenant(), { owner: 'event', name: 'later', type: 'Numeric' })
    await tenant.variable({ name: 'Other' })
    expect(await isStale()).toBe(false)
  })

  it('is stale when missing, or one of an older compiler', async () => {
    const { id, isStale, compiledWith } = await arranged()
    await compiledWith('$.compiler', COMPILER_VERSION - 1)
    expect(await isStale()).toBe(true)
    await compiledWith('$.compiler', COMPILER_VERSION)
    expect(await isStale()).toBe(false)
    await database().update(endpointVersions).set({ compiled: null }).where(eq(endpointVersions.id, id))
    expect(await isStale()).toBe(true)
  })

  it('is compiled again by a run, and the columns that are shown with it', async () => {
    const { tenant, isStale, name } = await arranged()
    const columns = async () => (await tenant.get(tenant.endpoints(name))).body.columns
    expect(await columns()).toMatchObject([{ type: 'float' }, { type: 'string' }])
    await define(tenant, { owner: 'event', name: 'later', type: 'Numeric' })
    const { status, body } = await tenant.post(tenant.endpoints(`${name}/run`), {
      variables: { plan: 'pro' },
    })
    expect([status, body.types.map(([, type]: string[]) => type)]).toEqual([200, [FLOAT, FLOAT]])
    expect(await isStale()).toBe(false)
    expect(await columns()).toMatchObject([{ type: 'float' }, { type: 'float' }])
    const { body: versions } = await tenant.get(tenant.endpoints(`${name}/versions`))
    expect(versions.results[0].columns).toEqual(await columns())
  })

  it('is stale in another time zone', async () => {
    const { isStale } = await arranged()
    expect(await isStale('Europe/Berlin')).toBe(true)
  })

  it.each(['event', 'person'] as const)(
    'is stale once more is known of a property of the %s',
    async (owner) => {
      const { tenant, isStale } = await arranged()
      await define(tenant, { owner, name: owner === 'event' ? 'later' : 'plan', type: 'Numeric' })
      expect(await isStale()).toBe(true)
    },
  )

  it('warns of a misspelt name in runs until it has a definition', async () => {
    const tenant = await createTenant()
    for (const name of ['opened', 'bought'])
      await define(tenant, { owner: 'event_name', name, type: 'String' })
    const { name } = await tenant.endpoint({
      query: hogql(`SELECT count() FROM events WHERE event IN ('openned', 'bougth')`),
    })
    const warned = async () => {
      const { body } = await tenant.post(tenant.endpoints(`${name}/run`), { refresh: 'force' })
      return body.metadata?.warnings.map(({ message }: { message: string }) => message)
    }
    const [opened, bought] = [
      "There is no event 'openned' yet (did you mean 'opened'?)",
      "There is no event 'bougth' yet (did you mean 'bought'?)",
    ]
    expect(await warned()).toEqual([opened, bought])
    await define(tenant, { owner: 'event_name', name: 'openned', type: 'String' })
    await warned()
    expect(await warned()).toEqual([bought])
  })

  it('is stale after a property changes type', async () => {
    const { tenant, isStale } = await arranged()
    await env.DB.prepare(
      "UPDATE property_definitions SET type = 'String' WHERE project_id = ? AND name = 'amount'",
    )
      .bind(tenant.projectId)
      .run()
    expect(await isStale()).toBe(true)
  })

  it('is stale once a variable is of another type, or gone', async () => {
    const { tenant, variable, isStale } = await arranged()
    const path = `/api/projects/${tenant.projectId}/insight_variables/${variable.id}/`
    await tenant.patch(path, { default_value: 'x', name: 'x' })
    expect(await isStale()).toBe(false)
    await tenant.patch(path, { type: 'List' })
    expect(await isStale()).toBe(true)
    await tenant.patch(path, { type: 'String' })
    expect(await isStale()).toBe(false)
    await database().delete(queryVariables).where(eq(queryVariables.id, variable.id))
    expect(await isStale()).toBe(true)
  })

  it.each<[string, (name: string, id: number) => object]>([
    ['an id', (_, id) => hogql(`SELECT count() FROM persons WHERE id IN COHORT ${id}`)],
    ['a name', (name) => hogql(`SELECT count() FROM persons WHERE id IN COHORT '${name}'`)],
    [
      'a filter',
      (_, id) => ({
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode', event: 'a' }],
        properties: [{ type: 'cohort', key: 'id', value: id }],
      }),
    ],
  ])('reads the cohort that has %s now', async (reference, queryOf) => {
    const tenant = await createTenant()
    const id = await cohort(tenant, [], { isStatic: true, name: 'Beta' })
    const { name } = await tenant.endpoint({ query: queryOf('Beta', id) })
    const runOf = () => run(tenant, name, { refresh: 'force' })
    expect((await runOf()).status).toBe(200)
    const change = (body: object) => tenant.patch(`/api/projects/${tenant.projectId}/cohorts/${id}/`, body)
    expect((await change({ name: 'Old' })).status).toBe(200)
    expect((await runOf()).status).toBe(reference === 'a name' ? 400 : 200)
    expect((await change({ deleted: true })).status).toBe(200)
    expect(await runOf()).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining(reference === 'a name' ? "'Beta'" : String(id)) },
    })
  })
})
