import { describe, expect, it } from 'vitest'
import { seen } from '../../support/responses'
import { open } from '../../support/filters'
import { createOvertaken } from '../../support/faults/overtaken'
import { experiment, overwriteFlag, storedFlag } from '../../support/database/rows'
import { writeElsewhere } from '../../support/faults/flag-writer'
import { createTenant, type Tenant } from '../../support/tenant'

type Json = Record<string, unknown>

const update = async (tenant: Tenant, id: number, body: Json) =>
  seen(await tenant.patch(tenant.flags(id), body))

const conflict = (who: string) => ({
  status: 409,
  body: {
    type: 'server_error',
    code: 'conflict',
    detail: `The feature flag was updated by ${who} since you started editing it. Please refresh and try again.`,
    attr: null,
  },
})

/** A flag as a caller read it, and another user's edit since. */
async function editedBy(others: Json, body: Json = {}) {
  const tenant = await createTenant()
  const read = await tenant.flag({ name: 'old', tags: ['a'], ...body })
  await update(tenant, read.id, others)
  const save = (changes: Json, guard: Json = { version: read.version, original_flag: read }) =>
    update(tenant, read.id, { ...changes, ...guard })
  return { tenant, read, save }
}

describe('an update of a version that is no longer current', () => {
  it('conflicts where both changed the same field', async () => {
    const { tenant, save, read } = await editedBy({ name: 'theirs' })
    expect(await save({ name: 'mine' })).toEqual(conflict(tenant.user.email))
    expect((await tenant.get(tenant.flags(read.id))).body).toMatchObject({ name: 'theirs', version: 2 })
  })

  it('names no user when none is known', async () => {
    const { save, read } = await editedBy({ name: 'theirs' })
    await overwriteFlag(read.id, { lastModifiedById: null })
    expect(await save({ name: 'mine' })).toEqual(conflict('another user'))
  })

  it.each([
    ['there is no version', {}, false],
    ['there is no version beside the original', {}, true],
    ['the version is null', { version: null }, true],
    ['the original is missing', { version: 1 }, false],
    ['the original is empty', { version: 1, original_flag: {} }, false],
    ['the original is null', { version: 1, original_flag: null }, false],
  ])('wins when %s', async (_, guard, withOriginal) => {
    const { save, read } = await editedBy({ name: 'theirs' })
    const original = withOriginal ? { original_flag: read } : {}
    expect(await save({ name: 'mine' }, { ...guard, ...original })).toMatchObject({
      status: 200,
      body: { name: 'mine', version: 3 },
    })
  })

  it('conflicts when the version is text of digits', async () => {
    const { tenant, save, read } = await editedBy({ name: 'theirs' })
    expect(await save({ name: 'mine' }, { version: '1', original_flag: read })).toEqual(
      conflict(tenant.user.email),
    )
  })

  it.each([
    ['version', { version: 'x' }, 'invalid_input'],
    ['version', { version: 1.5 }, 'invalid_input'],
    ['version', { version: true }, 'invalid_input'],
    ['original_flag', { version: 1, original_flag: ['name'] }, 'not_a_dict'],
    ['original_flag', { version: 1, original_flag: 'name' }, 'not_a_dict'],
  ])('is a 400 when the %s cannot be read: %o', async (attr, guard, code) => {
    const { tenant, save, read } = await editedBy({ name: 'theirs' })
    expect(await save({ name: 'mine' }, guard)).toMatchObject({
      status: 400,
      body: { type: 'validation_error', code, attr },
    })
    expect((await tenant.get(tenant.flags(read.id))).body).toMatchObject({ name: 'theirs', version: 2 })
  })

  it('is a 409 at the current version, too, when the original is not what is stored', async () => {
    const { save, read } = await editedBy({ name: 'theirs' })
    const { status } = await save({ name: 'mine' }, { version: 2, original_flag: read })
    expect(status).toBe(409)
  })

  it('applies where both changed different fields, and does not undo theirs by an echo', async () => {
    const { save, read } = await editedBy({ name: 'theirs', tags: ['b'] })
    expect(await save({ ...read, active: false })).toMatchObject({
      status: 200,
      body: { name: 'theirs', tags: ['b'], active: false, version: 3 },
    })
  })

  it('applies where both want the same', async () => {
    const { save } = await editedBy({ name: 'same' })
    expect(await save({ name: 'same' })).toMatchObject({ status: 200, body: { name: 'same', version: 3 } })
  })

  it('applies to a field that the original does not have', async () => {
    const { save } = await editedBy({ name: 'theirs' })
    expect(await save({ name: 'mine' }, { version: 1, original_flag: { key: 'x' } })).toMatchObject({
      status: 200,
      body: { name: 'mine' },
    })
  })

  it('applies when only fields that were not sent changed', async () => {
    const { save } = await editedBy({
      active: false,
      last_called_at: '2026-03-09T00:00:00Z',
      evaluation_runtime: 'server',
      filters: open(),
    })
    expect(await save({ name: 'mine' })).toMatchObject({
      status: 200,
      body: { name: 'mine', active: false, evaluation_runtime: 'server' },
    })
  })

  it('compares moments, not how they are spelled', async () => {
    const { save, read } = await editedBy(
      { last_called_at: '2026-03-09T00:00:00Z' },
      { last_called_at: '2026-03-01T00:00:00Z' },
    )
    expect(await save({ ...read, name: 'mine' })).toMatchObject({
      status: 200,
      body: { name: 'mine', last_called_at: '2026-03-09T00:00:00Z' },
    })
  })

  it('compares sets, not the order of their members', async () => {
    const { save, read } = await editedBy({ tags: ['c'] }, { tags: ['a', 'b'] })
    expect(await save({ tags: ['b', 'a'] })).toMatchObject({ status: 200, body: { tags: ['c'] } })
    expect(await save({ tags: ['d'] }, { version: 1, original_flag: read })).toMatchObject({ status: 409 })
  })

  it('compares filters as a whole', async () => {
    const { save, read, tenant } = await editedBy({ filters: open({ odd: 1 }) }, { filters: open() })
    expect(await save({ filters: open({ odd: 2 }) })).toEqual(conflict(tenant.user.email))
    expect(await save({ ...read, name: 'mine' })).toMatchObject({
      status: 200,
      body: { name: 'mine', filters: { odd: 1 } },
    })
  })

  it('conflicts with a deletion only where it restores', async () => {
    const { save, read } = await editedBy({ deleted: true })
    expect(await save({ ...read, name: 'mine' })).toMatchObject({
      status: 200,
      body: { name: 'mine', deleted: true },
    })
  })
})

describe('concurrent updates', () => {
  it('all succeed, one version each, one entry each', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => update(tenant, flag.id, { name: `name ${index}` })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    expect(responses.map(({ body }) => body.version).toSorted((a, b) => a - b)).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ])

    const { body } = await tenant.get(`${tenant.flags(`${flag.id}/activity`)}?limit=100`)
    const versions = body.results.map(
      ({ detail }: { detail: { changes: { field: string; after: number }[] } }) =>
        detail.changes.find(({ field }) => field === 'version')?.after,
    )
    expect(versions).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, undefined])
    const last = responses.find(({ body: each }) => each.version === 11)!
    expect((await tenant.get(tenant.flags(flag.id))).body).toEqual(last.body)
  })

  it('all succeed with labels, too, which are sets', async () => {
    const tenant = await createTenant()
    const flag = await tenant.flag()
    const responses = await Promise.all(
      Array.from({ length: 16 }, () =>
        update(tenant, flag.id, { tags: ['x'], evaluation_contexts: ['web'] }),
      ),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await tenant.get(tenant.flags(flag.id))).body).toMatchObject({ version: 17, tags: ['x'] })
  })

  it('let one through of two that were made against the same version', async () => {
    const tenant = await createTenant()
    const read = await tenant.flag({ name: 'old' })
    const responses = await Promise.all(
      ['one', 'two'].map((name) => update(tenant, read.id, { name, version: 1, original_flag: read })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})

describe('an update between whose reading and writing', () => {
  /** Changes a flag; `others` happens once, just before that is written. */
  async function overtaken(
    others: (tenant: Tenant, flag: { id: number; key: string }) => Promise<unknown>,
    changes: Json = { name: 'mine' },
  ) {
    const { tenant, overtake } = await createOvertaken('update "feature_flags"')
    const flag = await tenant.flag({ name: 'old' })
    overtake(() => others(tenant, flag))
    const response = await update(tenant, flag.id, changes)
    return { tenant, flag, answer: response }
  }

  it('the flag is deleted leaves it deleted, and its key free', async () => {
    const { flag, answer: response } = await overtaken(async (tenant, { id }) => {
      await experiment(tenant, id, { deleted: true })
      expect(await writeElsewhere(tenant, { update: id, with: { deleted: true } })).toBe(200)
    })
    const gone = { name: 'mine', deleted: true, key: `${flag.key}:deleted:${flag.id}`, version: 3 }
    expect(response).toMatchObject({ status: 200, body: gone })
    expect(await storedFlag(flag.id)).toMatchObject(gone)
  })

  it('another flag takes the key of the deleted flag keeps that key', async () => {
    const {
      tenant,
      flag,
      answer: response,
    } = await overtaken(async (owner, { id, key }) => {
      await experiment(owner, id, { deleted: true })
      expect(await writeElsewhere(owner, { update: id, with: { deleted: true } })).toBe(200)
      expect(await writeElsewhere(owner, { create: { key } })).toBe(201)
    })
    expect(response).toMatchObject({
      status: 200,
      body: { name: 'mine', deleted: true, key: `${flag.key}:deleted:${flag.id}` },
    })
    expect((await tenant.get(`${tenant.flags()}?search=${flag.key}`)).body.results).toMatchObject([
      { key: flag.key, name: '', deleted: false },
    ])
  })

  it('the flag is called keeps the moment of the call', async () => {
    const lastCalledAt = '2026-03-10T11:59:00.000000Z'
    const { flag, answer: response } = await overtaken((_, { id }) => overwriteFlag(id, { lastCalledAt }))
    expect(response.status).toBe(200)
    expect(await storedFlag(flag.id)).toMatchObject({ lastCalledAt })
  })
})
