// By which id somebody is bucketed: their device's, or the one that they had before they signed in. docs/reference/evaluation.md#identifiers.
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { flagHashKeyOverrides } from '../../drizzle'
import { rolloutDraw } from '../../src/evaluation/bucketing'
import { event, identify, personOf, sendBatch } from '../support/capture'
import { open, variants } from '../support/filters'
import { createTenant, database, type Tenant } from '../support/tenant'
import { ask, valuesOf } from './flags-support'

describe('bucketing by device', () => {
  it('uses the device id of the request or of its properties, if any', async () => {
    const tenant = await createTenant()
    const half = { groups: [{ properties: [], rollout_percentage: 50 }] }
    await tenant.flag({ key: 'half', bucketing_identifier: 'device_id', filters: half })
    await tenant.flag({ key: 'all', bucketing_identifier: 'device_id', filters: open() })
    const [inside, outside] = [true, false].map((wanted) =>
      Array.from({ length: 100 }, (_, number) => `device-${number}`).find(
        (id) => rolloutDraw('half.', id) <= 0.5 === wanted,
      )!,
    )
    for (const [body, value] of [
      [{ device_id: inside }, true],
      [{ $device_id: outside }, false],
      [{ person_properties: { $device_id: inside } }, true],
      [{ device_id: '', person_properties: { $device_id: outside } }, false],
      [{ device_id: inside, person_properties: { $device_id: outside } }, true],
    ] as const) {
      expect(valuesOf(await ask(tenant, body))).toEqual({ half: value, all: true })
    }
    const without = (await ask(tenant)).body.flags
    expect(without.half).toMatchObject({ enabled: false, reason: { code: 'out_of_rollout_bound' } })
    expect(without.all).toMatchObject({ enabled: true })
  })
})

describe('experience continuity', () => {
  const TENTHS = Object.fromEntries(Array.from({ length: 10 }, (_, number) => [`v${number}`, 10]))
  const overridesOf = async (tenant: Tenant) =>
    (
      await database()
        .select()
        .from(flagHashKeyOverrides)
        .where(eq(flagHashKeyOverrides.projectId, tenant.projectId))
    ).map(({ personId, flagKey, hashKey }) => ({ personId, flagKey, hashKey }))

  /** A project with a flag with continuity and one without. The ids that follow fall into different variants of both. */
  async function createExperiment() {
    const tenant = await createTenant()
    const flag = await tenant.flag({
      key: 'kept',
      ensure_experience_continuity: true,
      filters: variants(TENTHS),
    })
    await tenant.flag({ key: 'drawn', filters: variants(TENTHS) })
    const askAs = async (distinct_id: string, anon_distinct_id?: string) =>
      valuesOf(await ask(tenant, { distinct_id, anon_distinct_id }))
    const people: string[] = []
    const seenBefore = new Set<unknown>()
    for (let number = 0; number < 100 && people.length < 4; number += 1) {
      const { kept } = await askAs(`id-${number}`)
      if (!seenBefore.has(kept)) people.push(`id-${number}`)
      seenBefore.add(kept)
    }
    const [anonymous, known, elder, other] = people as [string, string, string, string]
    return { tenant, flag, askAs, anonymous, known, elder, other }
  }

  it('keeps results from before the sign-in permanently', async () => {
    const { tenant, flag, askAs, anonymous, known, other } = await createExperiment()
    await sendBatch(tenant, [event(anonymous)])
    const before = await askAs(anonymous)
    const strange = await askAs(known)
    expect(strange.kept).not.toBe(before.kept)

    // The client asks once with the anonymous id, before its $identify has arrived, which the id is stored for.
    const person = (await personOf(tenant, anonymous))!
    const first = await ask(tenant, { distinct_id: known, anon_distinct_id: anonymous })
    expect(valuesOf(first)).toEqual({ kept: before.kept, drawn: strange.drawn })
    expect(first.line.d1_round_trips).toBe(2)
    const row = { personId: person.id, flagKey: 'kept', hashKey: anonymous }
    expect(await overridesOf(tenant)).toEqual([row])
    await sendBatch(tenant, [identify(known, anonymous)])

    // Read back with the anonymous id and without it, and never written again, whoever else comes along.
    const again = await ask(tenant, { distinct_id: known, anon_distinct_id: anonymous })
    expect(again.line).toMatchObject({ d1_round_trips: 1, d1_rows_written: 0 })
    expect(valuesOf(again).kept).toBe(before.kept)
    expect((await askAs(known)).kept).toBe(before.kept)
    expect((await askAs(known, other)).kept).toBe(before.kept)
    expect(await overridesOf(tenant)).toEqual([row])

    // Off, what is stored does not count; on again, it does.
    await tenant.patch(tenant.flags(flag.id), { ensure_experience_continuity: false })
    expect((await askAs(known)).kept).toBe(strange.kept)
    expect((await askAs(known, anonymous)).kept).toBe(strange.kept)
    await tenant.patch(tenant.flags(flag.id), { ensure_experience_continuity: true })
    expect((await askAs(known)).kept).toBe(before.kept)

    // A flag that starts to keep answers later gets a row of its own.
    await tenant.flag({ key: 'late', ensure_experience_continuity: true, filters: variants(TENTHS) })
    await askAs(known, anonymous)
    expect(await overridesOf(tenant)).toEqual([row, { ...row, flagKey: 'late' }])
  })

  it('gives first requests that arrive together the result that is stored', async () => {
    const { tenant, askAs } = await createExperiment()
    await sendBatch(tenant, [event('ada')])
    const together = await Promise.all(
      Array.from({ length: 6 }, async (_, number) => (await askAs('ada', `id-${number}`)).kept),
    )
    const { kept } = await askAs('ada')
    expect(together).toEqual(together.map(() => kept))
  })

  it('finds the anonymous id among the properties of the person, where its own field is empty', async () => {
    const { tenant, askAs, anonymous, known, other } = await createExperiment()
    await sendBatch(tenant, [event(known)])
    const before = await askAs(anonymous)
    const asKnown = async (body: Record<string, unknown>) =>
      valuesOf(await ask(tenant, { distinct_id: known, ...body })).kept
    expect(await asKnown({ anon_distinct_id: '', person_properties: { $anon_distinct_id: anonymous } })).toBe(
      before.kept,
    )
    expect(await overridesOf(tenant)).toMatchObject([{ flagKey: 'kept', hashKey: anonymous }])
    await database().delete(flagHashKeyOverrides).where(eq(flagHashKeyOverrides.projectId, tenant.projectId))
    expect(
      await asKnown({ anon_distinct_id: other, person_properties: { $anon_distinct_id: anonymous } }),
    ).toBe((await askAs(other)).kept)
  })

  it('prefers the stored value of the person over that of the anonymous one', async () => {
    const { tenant, askAs, anonymous, known, elder, other } = await createExperiment()
    await sendBatch(tenant, [event(anonymous), event(known), event(other)])
    const ids = await Promise.all([anonymous, known, other].map((id) => personOf(tenant, id)))
    const [anonymousPerson, knownPerson] = ids as { id: number }[]
    const keep = (personId: number, hashKey: string) =>
      database()
        .insert(flagHashKeyOverrides)
        .values({ personId, projectId: tenant.projectId, flagKey: 'kept', hashKey })
    await keep(anonymousPerson!.id, elder)
    const asElder = (await askAs(elder)).kept
    // Only the anonymous one has something stored: it counts, and the anonymous id is not stored beside it.
    for (const id of ['nobody-yet', known]) expect((await askAs(id, anonymous)).kept).toBe(asElder)
    expect(await overridesOf(tenant)).toHaveLength(1)
    // Both have: the person's own wins.
    await keep(knownPerson!.id, other)
    expect((await askAs(known, anonymous)).kept).toBe((await askAs(other)).kept)
    expect((await askAs(anonymous)).kept).toBe(asElder)
  })

  it('writes one row for concurrent requests', async () => {
    const { tenant, anonymous, known, other } = await createExperiment()
    await sendBatch(tenant, [event(known)])
    const responses = await Promise.all(
      [anonymous, other, anonymous, other].map((anon_distinct_id) =>
        ask(tenant, { distinct_id: known, anon_distinct_id }),
      ),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const rows = await overridesOf(tenant)
    expect(rows).toHaveLength(1)
    expect([anonymous, other]).toContain(rows[0]!.hashKey)
  })
})
