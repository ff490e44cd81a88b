import { count, eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import {
  activityLog,
  dashboards,
  featureFlags,
  flagDashboards,
  flagEvaluationContexts,
  flagTags,
} from '../../../drizzle'
import { refused, seen } from '../../support/responses'
import { dashboard } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

const create = async (tenant: Tenant, body: Record<string, unknown> = {}) =>
  seen(await tenant.post(tenant.flags(), { key: 'checkout', _should_create_usage_dashboard: false, ...body }))

const activityOf = async (tenant: Tenant, id: number) =>
  (await tenant.get(tenant.flags(`${id}/activity`))).body.results

describe('tags of a new flag', () => {
  it('are trimmed, lower-cased and deduplicated', async () => {
    const { body } = await create(await createTenant(), { tags: [' Beta', 'beta', 'ALPHA', '', '  '] })
    expect(body.tags).toEqual(['alpha', 'beta'])
  })

  it('are at most 255 characters long', async () => {
    const tenant = await createTenant()
    expect(await create(tenant, { tags: ['ok', 't'.repeat(256)] })).toEqual(
      refused('tags__1', 'Ensure this field has no more than 255 characters.', 'max_length'),
    )
    expect(await create(tenant, { tags: [null] })).toEqual(
      refused('tags__0', 'This field may not be null.', 'null'),
    )
    expect(await create(tenant, { tags: ['t'.repeat(255)] })).toMatchObject({ status: 201 })
  })

  it('may be anything that is text', async () => {
    const tags = ['"', "'; drop table", '日本', '😀', 'a,b', '{"a":1}', '\\']
    const { body } = await create(await createTenant(), { tags })
    expect(body.tags.toSorted()).toEqual(tags.toSorted())
  })
})

describe('evaluation contexts of a new flag', () => {
  it('are trimmed, lower-cased and deduplicated, and are not tags', async () => {
    const { body } = await create(await createTenant(), {
      tags: ['beta'],
      evaluation_contexts: [' Web', 'web', 'API'],
    })
    expect(body).toMatchObject({ evaluation_contexts: ['api', 'web'], tags: ['beta'] })
  })

  it('are at most 50', async () => {
    const tenant = await createTenant()
    const names = Array.from({ length: 51 }, (_, index) => `context-${index}`)
    expect(await create(tenant, { evaluation_contexts: names })).toEqual(
      refused(null, 'evaluation_contexts must be a list of at most 50 items.'),
    )
    expect(await create(tenant, { evaluation_contexts: names.slice(1) })).toMatchObject({ status: 201 })
  })

  it.each(['prod', '', 0, false, { 0: 'prod' }])('are a list, and not %j', async (contexts) => {
    const tenant = await createTenant()
    const refusal = refused(null, 'evaluation_contexts must be a list of at most 50 items.')
    expect(await create(tenant, { evaluation_contexts: contexts })).toEqual(refusal)
    const flag = await tenant.flag()
    const patched = await tenant.patch(tenant.flags(flag.id), { evaluation_contexts: contexts })
    expect(seen(patched)).toEqual(refusal)
    // A field that is not in order is told before.
    expect(await create(tenant, { evaluation_contexts: contexts, bucketing_identifier: 'x' })).toEqual(
      refused(
        'bucketing_identifier',
        '"x" is not a valid choice. Valid choices: distinct_id, device_id.',
        'invalid_choice',
      ),
    )
  })

  it('are measured in characters, without the white space around them', async () => {
    const name = '😀'.repeat(255)
    expect(await create(await createTenant(), { evaluation_contexts: [`  ${name} `] })).toMatchObject({
      status: 201,
      body: { evaluation_contexts: [name] },
    })
    expect(await create(await createTenant(), { evaluation_contexts: [`${name}x`] })).toEqual(
      refused(null, 'Invalid evaluation context name.'),
    )
  })

  it.each([[5], [null], [''], ['  '], ['c'.repeat(256)], [['web']], ['a\0b'], ['\ud800']])(
    'do not hold %j',
    async (name) => {
      expect(await create(await createTenant(), { evaluation_contexts: ['web', name] })).toEqual(
        refused(null, 'Invalid evaluation context name.'),
      )
    },
  )
})

describe('dashboards of a new flag', () => {
  it('are dashboards of its project', async () => {
    const tenant = await createTenant()
    const [first, second] = [await dashboard(tenant), await dashboard(tenant)]
    const { body } = await create(tenant, { analytics_dashboards: [second, String(first), second] })
    expect(body.analytics_dashboards).toEqual([first, second])
  })

  it('exist', async () => {
    const tenant = await createTenant()
    const gone = await dashboard(tenant, { deleted: true })
    const foreign = await dashboard(await createTenant())
    for (const id of [gone, foreign, 987_654]) {
      expect(await create(tenant, { analytics_dashboards: [id] })).toEqual(
        refused('analytics_dashboards', `Invalid pk "${id}" - object does not exist.`, 'does_not_exist'),
      )
    }
  })

  it.each([
    [true, 'a boolean'],
    [null, 'null'],
    ['first', 'text'],
    [1.5, 'a fraction'],
    [{}, 'an object'],
  ])('are named by id, not by %j', async (member, type) => {
    expect(await create(await createTenant(), { analytics_dashboards: [member] })).toEqual(
      refused('analytics_dashboards', `Incorrect type. Expected an id, received ${type}.`, 'incorrect_type'),
    )
  })

  it('are joined by one about its use, unless that is not wanted', async () => {
    const tenant = await createTenant()
    const response = await tenant.post(tenant.flags(), { key: 'checkout' })
    expect(response).toMatchObject({ status: 201, body: { usage_dashboard: expect.any(Number) } })
    const [row] = await database()
      .select()
      .from(dashboards)
      .where(eq(dashboards.id, response.body.usage_dashboard))
    expect(row).toEqual({
      id: response.body.usage_dashboard,
      projectId: tenant.projectId,
      name: 'Generated Dashboard: checkout Usage',
      description: '',
      deleted: false,
      createdById: tenant.user.id,
      createdAt: '2026-03-10T12:00:00.000000Z',
      creationMode: 'template',
      filters: null,
    })
    expect(await create(tenant, { key: 'other' })).toMatchObject({ body: { usage_dashboard: null } })
  })
})

describe('the activity log', () => {
  const by = (tenant: Tenant, detail: object) => ({
    id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    user: { first_name: 'Ada', email: tenant.user.email },
    was_impersonated: false,
    scope: 'FeatureFlag',
    created_at: '2026-03-10T12:00:00Z',
    ...detail,
  })

  it('has an entry for the creation, without fields', async () => {
    const tenant = await createTenant()
    const { body } = await create(tenant, { name: 'New checkout', tags: ['beta'] })
    expect(await activityOf(tenant, body.id)).toEqual([
      by(tenant, {
        activity: 'created',
        item_id: String(body.id),
        detail: {
          id: String(body.id),
          changes: [],
          trigger: null,
          type: null,
          name: 'checkout',
          short_id: null,
          merge: null,
        },
      }),
    ])
  })

  it('has an entry of its own for evaluation contexts', async () => {
    const tenant = await createTenant()
    const { body } = await create(tenant, { evaluation_contexts: ['web', 'api'] })
    const [contexts, created] = await activityOf(tenant, body.id)
    expect(created).toMatchObject({ activity: 'created', detail: { changes: [] } })
    expect(contexts).toEqual(
      by(tenant, {
        activity: 'updated',
        item_id: String(body.id),
        detail: {
          changes: [
            {
              type: 'FeatureFlag',
              action: 'changed',
              field: 'evaluation_contexts',
              before: [],
              after: ['api', 'web'],
            },
          ],
          trigger: null,
          type: null,
          name: 'checkout',
          short_id: null,
          id: String(body.id),
          merge: null,
        },
      }),
    )
  })
})

describe('a flag that is rejected', () => {
  /** How many rows each table has for the project. */
  async function rowsOf({ projectId }: Tenant) {
    const db = database()
    const tables = [featureFlags, dashboards, flagTags, flagEvaluationContexts, activityLog]
    const counts = await Promise.all(
      tables.map((table) => db.select({ rows: count() }).from(table).where(eq(table.projectId, projectId))),
    )
    const [links] = await db
      .select({ rows: count() })
      .from(flagDashboards)
      .innerJoin(featureFlags, eq(featureFlags.id, flagDashboards.flagId))
      .where(eq(featureFlags.projectId, projectId))
    return [...counts.map(([row]) => row!.rows), links!.rows]
  }

  const ATTACHED = { _should_create_usage_dashboard: true, tags: ['beta'], evaluation_contexts: ['web'] }

  it.each([
    ['its key', { key: 'a b' }],
    ['a field', { active: 'perhaps' }],
    ['its filters', { filters: { groups: [] } }],
    ['the whole', { archived: true }],
    ['a context', { evaluation_contexts: [5] }],
    ['a dashboard', { analytics_dashboards: [1_000_000] }],
  ])('leaves nothing behind when it fails for %s', async (_, broken) => {
    const tenant = await createTenant()
    expect(await create(tenant, { ...ATTACHED, ...broken })).toMatchObject({ status: 400 })
    expect(await rowsOf(tenant)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('leaves nothing behind when it loses a race for its key', async () => {
    const tenant = await createTenant()
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await create(tenant, ATTACHED)).status),
    )
    expect(statuses.toSorted()).toEqual([201, 400, 400, 400, 400])
    expect(await rowsOf(tenant)).toEqual([1, 1, 1, 1, 3, 0])
  })
})
