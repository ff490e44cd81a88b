import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { flagTags } from '../../../drizzle'
import { generationOf, markInKv } from '../../project/support'
import { refused, seen } from '../../support/responses'
import { manyFlags, storedFlag } from '../../support/database/rows'
import { createTenant, database, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const tag = (tenant: Tenant, body: Json) => tenant.post(tenant.flags('bulk_update_tags'), body)
const tagged = async (tenant: Tenant, body: Json) => seen(await tag(tenant, body))
const updated = (...flags: [id: number, tags: string[]][]) => ({
  status: 200,
  body: { updated: flags.map(([id, tags]) => ({ id, tags })), skipped: [] },
})

describe('POST bulk_update_tags', () => {
  it.each([
    ['add', ['c', 'a'], ['a', 'b', 'c'], ['a', 'c']],
    ['remove', ['c', 'a'], ['b'], []],
    ['set', ['c', 'a'], ['a', 'c'], ['a', 'c']],
    ['set', [], [], []],
    ['add', [' C ', 'c', 'É', 5, ''], ['5', 'a', 'b', 'c', 'é'], ['5', 'c', 'é']],
    ['remove', [' B '], ['a'], []],
    ['set', ['b', 'B', ' b'], ['b'], ['b']],
  ])('%s %j leaves each flag with its full set, sorted', async (action, tags, ofFirst, ofSecond) => {
    const tenant = await createTenant()
    const first = await tenant.flag({ tags: ['a', 'b'] })
    const second = await tenant.flag()
    expect(await tagged(tenant, { ids: [first.id, second.id], action, tags })).toEqual(
      updated([second.id, ofSecond], [first.id, ofFirst]),
    )
    const left = (flag: { tags: string[] }, tagsAfter: string[]) => ({
      ...flag,
      tags: tagsAfter,
      version: flag.tags.join() === tagsAfter.join() ? 1 : 2,
    })
    expect((await tenant.get(tenant.flags(first.id))).body).toEqual(left(first, ofFirst))
    expect((await tenant.get(tenant.flags(second.id))).body).toEqual(left(second, ofSecond))
  })

  it('lists the newest flag first, each once, and skips unknown ids', async () => {
    const [tenant, other] = [await createTenant(), await createTenant()]
    const old = await tenant.flag({ created_at: '2025-01-01T00:00:00Z' })
    const [one, two] = [await tenant.flag(), await tenant.flag()]
    const theirs = await other.flag({ tags: ['keep'] })
    const ids = [one.id, theirs.id, String(old.id), two.id, 999_999_999, one.id, 0, 999_999_999]
    expect(await tagged(tenant, { ids, action: 'set', tags: ['x'] })).toEqual({
      status: 200,
      body: {
        updated: [two, one, old].map(({ id }) => ({ id, tags: ['x'] })),
        skipped: [theirs.id, 999_999_999, 0].map((id) => ({ id, reason: 'Not found or no edit access' })),
      },
    })
    expect((await other.get(other.flags(theirs.id))).body.tags).toEqual(['keep'])
  })

  it('updates deleted flags too', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag({ tags: ['a'] })
    await tenant.patch(tenant.flags(flag.id), { deleted: true })
    expect(await tagged(tenant, { ids: [flag.id], action: 'add', tags: ['b'] })).toEqual(
      updated([flag.id, ['a', 'b']]),
    )
  })

  it('begins a version of each flag that changes, and publishes it', async () => {
    const tenant = await createTenant()
    const [flag, same] = [await tenant.flag({ key: 'a' }), await tenant.flag({ key: 'b', tags: ['b'] })]
    const [before, other] = [await storedFlag(flag.id), await storedFlag(same.id)]
    const generation = await generationOf(tenant)
    tenant.clock.advance({ hours: 1 })
    const change = { ids: [flag.id, same.id], action: 'add', tags: ['b'] }
    await tag(tenant, change)
    expect(await storedFlag(flag.id)).toEqual({
      ...before,
      version: 2,
      updatedAt: '2026-03-10T13:00:00.000000Z',
    })
    expect(await storedFlag(same.id)).toEqual(other)
    expect(await generationOf(tenant)).toBe(generation + 1)
    expect(await markInKv(tenant)).toMatchObject({ generation: generation + 1 })

    await tag(tenant, change)
    expect(await generationOf(tenant)).toBe(generation + 1)
    expect(await storedFlag(flag.id)).toMatchObject({ version: 2 })
  })

  it('is not lost to an update that was made from the flag before it', async () => {
    const tenant = await createTenant()
    const read = await tenant.flag({ tags: ['a'] })
    await tag(tenant, { ids: [read.id], action: 'add', tags: ['b'] })
    const base = { version: read.version, original_flag: read }
    const conflicting = await tenant.patch(tenant.flags(read.id), { ...base, tags: ['c'] })
    expect(conflicting.status).toBe(409)
    const { body } = await tenant.patch(tenant.flags(read.id), { ...base, name: 'mine', tags: read.tags })
    expect(body).toMatchObject({ name: 'mine', tags: ['a', 'b'], version: 3 })
  })

  it('leaves an unbroken chain of tags in the log, whatever runs at the same time', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        at % 2 === 0
          ? tag(tenant, { ids: [flag.id], action: 'add', tags: [`bulk-${at}`] })
          : tenant.patch(tenant.flags(flag.id), { tags: [`patch-${at}`] }),
      ),
    )
    const { body } = await tenant.get(`${tenant.flags(`${flag.id}/activity`)}?limit=100`)
    const changes = (
      body.results as { detail: { changes: { field: string; before: unknown; after: unknown }[] } }[]
    )
      .flatMap(({ detail }) => detail.changes)
      .toReversed()
    for (const field of ['tags', 'version']) {
      const own = changes.filter((change) => change.field === field)
      for (const [at, { after }] of own.slice(0, -1).entries())
        expect(own[at + 1]!.before ?? []).toEqual(after)
      expect(own.at(-1)!.after).toEqual((await tenant.get(tenant.flags(flag.id))).body[field])
    }
  })

  it('logs the sets of each flag that changed, by its name or else its key', async () => {
    const tenant = await createTenant()
    const named = await tenant.flag({ key: 'named', name: 'Name', tags: ['b'] })
    const unnamed = await tenant.flag({ key: 'unnamed' })
    const same = await tenant.flag({ key: 'same', tags: ['a', 'b'] })
    tenant.clock.advance({ seconds: 1 })
    await tag(tenant, { ids: [named.id, unnamed.id, same.id], action: 'add', tags: ['a', 'b'] })
    const entries = async (id: number) => (await tenant.get(tenant.flags(`${id}/activity`))).body.results
    const entry = (name: string, before: string[]) => ({
      user: { email: tenant.user.email },
      activity: 'updated',
      scope: 'FeatureFlag',
      detail: {
        changes: [
          { type: 'FeatureFlag', action: 'changed', field: 'version', before: 1, after: 2 },
          { type: 'FeatureFlag', action: 'changed', field: 'tags', before, after: ['a', 'b'] },
        ],
        trigger: null,
        type: null,
        name,
        short_id: null,
      },
      created_at: '2026-03-10T12:00:01Z',
    })
    expect(await entries(named.id)).toMatchObject([entry('Name', ['b']), { activity: 'created' }])
    expect(await entries(unnamed.id)).toMatchObject([entry('unnamed', []), { activity: 'created' }])
    expect(await entries(same.id)).toMatchObject([{ activity: 'created' }])
  })

  it('keeps tags of other projects and flags apart', async () => {
    const tenant = await createTenant()
    const [one, two] = [await tenant.flag({ tags: ['a', 'b'] }), await tenant.flag({ tags: ['a', 'b'] })]
    await tag(tenant, { ids: [one.id], action: 'set', tags: ['c'] })
    await tag(tenant, { ids: [one.id], action: 'remove', tags: ['a', 'c'] })
    expect((await tenant.get(tenant.flags(one.id))).body.tags).toEqual([])
    expect((await tenant.get(tenant.flags(two.id))).body.tags).toEqual(['a', 'b'])
  })
})

describe('a body of bulk_update_tags', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await createTenant()
  })

  const base = { ids: [1], action: 'add', tags: ['a'] }
  const many = (length: number) => Array.from({ length }, (_, at) => at + 1)
  const BLANK: [string, string, string] = [
    'tags',
    'A tag may not be blank. An empty list removes all tags.',
    'blank',
  ]

  it.each<[string, Json, [string | null, string, string?]]>([
    ['without ids', { ...base, ids: undefined }, ['ids', 'This field is required.', 'required']],
    ['with null ids', { ...base, ids: null }, ['ids', 'This field may not be null.', 'null']],
    ['with no ids', { ...base, ids: [] }, ['ids', 'This list may not be empty.', 'empty']],
    [
      'with 501 ids',
      { ...base, ids: many(501) },
      ['ids', 'Ensure this field has no more than 500 elements.', 'max_length'],
    ],
    [
      'with ids that are no list',
      { ...base, ids: '1' },
      ['ids', 'Expected a list of items but got text.', 'not_a_list'],
    ],
    ['with an id that is none', { ...base, ids: [1, 'x'] }, ['ids__1', 'A valid integer is required.']],
    ['without an action', { ...base, action: undefined }, ['action', 'This field is required.', 'required']],
    [
      'with another action',
      { ...base, action: 'replace' },
      ['action', '"replace" is not a valid choice. Valid choices: add, remove, set.', 'invalid_choice'],
    ],
    ['without tags', { ...base, tags: undefined }, ['tags', 'This field is required.', 'required']],
    [
      'with 101 tags',
      { ...base, tags: many(101).map(String) },
      ['tags', 'Ensure this field has no more than 100 elements.', 'max_length'],
    ],
    [
      'with a tag of 256',
      { ...base, tags: ['x'.repeat(256)] },
      ['tags__0', 'Ensure this field has no more than 255 characters.', 'max_length'],
    ],
    ['with a tag that is none', { ...base, tags: [{}] }, ['tags__0', 'Not a valid string.']],
    ['that adds nothing', { ...base, tags: [] }, ['tags', "tags must not be empty for action 'add'."]],
    ['that adds blanks', { ...base, tags: [' '] }, BLANK],
    ['that removes blanks', { ...base, action: 'remove', tags: [''] }, BLANK],
    ['that sets blanks', { ...base, action: 'set', tags: ['', ' '] }, BLANK],
    [
      'that removes nothing',
      { ...base, action: 'remove', tags: [] },
      ['tags', "tags must not be empty for action 'remove'."],
    ],
    ['with filters', { ...base, filters: { tags: 'a' } }, [null, 'Unknown field: filters', 'unknown_field']],
  ])('%s is refused', async (_, body, [attr, detail, code]) => {
    expect(await tagged(tenant, body)).toEqual(refused(attr, detail, code))
  })

  it('of 500 ids and 100 tags is served, in one round trip', async () => {
    const ids = await manyFlags(tenant, 500)
    const tags = Array.from({ length: 100 }, (_, at) => String(at).padStart(3, '0').padEnd(21, 'ü'))
    await tag(tenant, { ids: ids.slice(0, 1), action: 'set', tags: [] })
    const response = await tag(tenant, { ids, action: 'add', tags })
    expect(seen(response)).toEqual(updated(...ids.toReversed().map((id): [number, string[]] => [id, tags])))
    expect(response.line.d1_round_trips).toBe(1)
    const cleared = await tag(tenant, { ids, action: 'remove', tags })
    expect(seen(cleared)).toEqual(updated(...ids.toReversed().map((id): [number, string[]] => [id, []])))
  }, 30_000)
})

describe('concurrent callers', () => {
  it('lose no tag', async () => {
    const tenant = await createTenant()
    const flags = [await tenant.flag({ tags: ['start'] }), await tenant.flag()]
    const ids = flags.map(({ id }) => id)
    const names = Array.from({ length: 20 }, (_, at) => `tag-${String(at).padStart(2, '0')}`)
    const responses = await Promise.all(
      names.map((name) => tag(tenant, { ids, action: 'add', tags: [name] })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await tenant.get(tenant.flags(ids[0]!))).body.tags).toEqual(['start', ...names])
    expect((await tenant.get(tenant.flags(ids[1]!))).body.tags).toEqual(names)
    // The log tells one story: each entry begins where the one before it ended.
    const { body } = await tenant.get(`${tenant.flags(`${ids[1]}/activity`)}?limit=100`)
    const sizes = body.results
      .flatMap(
        ({ detail }: { detail: { changes: { field: string; before: string[]; after: string[] }[] } }) =>
          detail.changes.filter(({ field }) => field === 'tags'),
      )
      .map(({ before, after }: { before: string[]; after: string[] }) => [before.length, after.length])
      .sort(([a]: number[], [b]: number[]) => a! - b!)
    expect(sizes).toEqual(names.map((_, at) => [at, at + 1]))
  })

  it('read few rows in a project of many flags', async () => {
    const tenant = await createTenant()
    const ids = await manyFlags(tenant, 5_000)
    const { line } = await tag(tenant, { ids: ids.slice(0, 10), action: 'set', tags: ['a', 'b'] })
    expect(line.d1_rows_read).toBeLessThanOrEqual(60 * 10)
    expect(await database().$count(flagTags, eq(flagTags.projectId, tenant.projectId))).toBe(20)
  })
})
