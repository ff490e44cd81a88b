import { describe, expect, it } from 'vitest'
import { eq } from 'drizzle-orm'
import { projects } from '../../../drizzle'
import { event, eventsOf, groupIdentify, groupsOf, sendBatch, sendEach } from '../../support/capture'
import { createTenant, database } from '../../support/tenant'

describe('$groupidentify', () => {
  it('makes a group and sets its properties', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      groupIdentify('company', 'acme', { plan: 'free', seats: 3 }),
      groupIdentify('company', 'acme', { plan: 'paid' }),
      groupIdentify('team', 7),
    ])
    expect(await groupsOf(tenant)).toEqual({
      types: ['company', 'team'],
      groups: [
        { typeIndex: 0, key: 'acme', properties: { plan: 'paid', seats: 3 }, version: 2 },
        { typeIndex: 1, key: '7', properties: {}, version: 3 },
      ],
    })
  })

  it('writes nothing when nothing changes', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      groupIdentify('company', 'acme', { plan: 'free' }),
      groupIdentify('company', 'acme', { plan: 'free' }),
    ])
    expect((await groupsOf(tenant)).groups).toMatchObject([{ version: 1 }])
  })

  it('numbers five types in the order of first sight; a sixth is ignored and reported', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [
      event('ada', { $groups: { e: 'x' } }),
      ...['d', 'c', 'b', 'a', 'f', 'a'].map((type) => groupIdentify(type, 'x', { type })),
      event('ada', { $groups: { g: 'x', a: 'x', h: 'x', i: 'x' } }),
    ])
    expect(body).toEqual({
      status: 'Ok',
      errors: [
        {
          index: 5,
          detail: '"f" would be a group type more than the 5 that a project can have; it is ignored.',
          attr: 'properties__$group_type',
        },
        {
          index: 7,
          detail:
            '"g" and others would be group types more than the 5 that a project can have; they are ignored.',
          attr: 'properties__$groups',
        },
      ],
    })
    const { types, groups } = await groupsOf(tenant)
    expect(types).toEqual(['e', 'd', 'c', 'b', 'a'])
    expect(groups.map(({ properties }) => properties)).toEqual([
      { type: 'd' },
      { type: 'c' },
      { type: 'b' },
      { type: 'a' },
    ])
    expect(await eventsOf(tenant)).toHaveLength(8)
  })

  it('reports an event without a group', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [
      groupIdentify('', 'acme'),
      groupIdentify('company', null),
      groupIdentify('company', 'x'.repeat(401)),
    ])
    const detail = 'Must be text of at most 400 characters, or a number.'
    expect(body.errors).toEqual([
      { index: 0, detail, attr: 'properties__$group_type' },
      { index: 1, detail, attr: 'properties__$group_key' },
      { index: 2, detail, attr: 'properties__$group_key' },
    ])
    expect(await groupsOf(tenant)).toEqual({ types: [], groups: [] })
  })

  it('keeps properties as they are when they would grow too large', async () => {
    const tenant = await createTenant()
    const { body } = await sendBatch(tenant, [
      groupIdentify('company', 'acme', { a: 1 }),
      groupIdentify('company', 'acme', { b: 'x'.repeat(500_000) }),
    ])
    expect(body.errors).toMatchObject([{ index: 1, attr: 'properties__$group_set' }])
    expect((await groupsOf(tenant)).groups).toMatchObject([{ properties: { a: 1 } }])
  })
})

describe('groups of events', () => {
  it('are kept as sent, and by the number of their type, which takes precedence over numbers that were sent', async () => {
    const tenant = await createTenant()
    await sendEach(tenant, [
      groupIdentify('company', 'acme'),
      event('ada', { $groups: { team: 7, company: 'acme' } }),
      event('ada', { $groups: { company: 'acme', team: null }, $group_0: 'other', $group_1: 'sent' }),
    ])
    expect((await eventsOf(tenant, 'opened')).map(({ properties }) => properties)).toEqual([
      { $groups: { team: 7, company: 'acme' }, $group_0: 'acme', $group_1: '7' },
      { $groups: { company: 'acme', team: null }, $group_0: 'acme', $group_1: 'sent' },
    ])
  })
})

describe('the generation of a project', () => {
  it('goes up with a new group type, and only then', async () => {
    const tenant = await createTenant()
    const generation = async () =>
      (await database().select().from(projects).where(eq(projects.id, tenant.projectId)))[0]!.flagsGeneration
    const before = await generation()
    await sendEach(tenant, [groupIdentify('company', 'acme')])
    expect(await generation()).toBe(before + 1)
    await sendEach(tenant, [groupIdentify('company', 'other', { a: 1 }), event('ada', { $set: { b: 1 } })])
    expect(await generation()).toBe(before + 1)
  })
})
