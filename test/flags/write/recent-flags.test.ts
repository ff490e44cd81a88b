// Updates that are planned on remembered flags: they respond, write and fail as updates that read everything first.
import { eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { approvalPolicies, featureFlags, flagTags, projects, users } from '../../../drizzle'
import { forgetFlags } from '../../../src/flags/write/recent-flags'
import {
  approvalPolicy,
  cohort,
  dashboard,
  earlyAccessFeature,
  experiment,
  survey,
} from '../../support/database/rows'
import { dependsOn, inCohort, open, variants, where } from '../../support/filters'
import { propertyRuns } from '../../support/property-runs'
import { seen } from '../../support/responses'
import { createTenant, database, type Tenant } from '../../support/tenant'

let tenant: Tenant
let id: number

beforeEach(async () => {
  tenant = await createTenant()
  id = (await tenant.flag({ key: 'own', tags: ['first'] })).id
})

const patch = (body: object, of = id) => tenant.patch(tenant.flags(of), body)
const tripsOf = ({ line }: Awaited<ReturnType<typeof patch>>) => line.d1_round_trips

/** Whatever else changes a flag without its version. */
const CHANGES: Record<string, () => PromiseLike<unknown>> = {
  'its tags': () => tenant.post(tenant.flags('bulk_update_tags'), { ids: [id], action: 'set', tags: ['x'] }),
  'its last call': () =>
    database()
      .update(featureFlags)
      .set({ lastCalledAt: '2026-03-09T08:00:00.000000Z' })
      .where(eq(featureFlags.id, id)),
  'the name of its creator': () =>
    database().update(users).set({ firstName: 'Grace' }).where(eq(users.id, tenant.user.id)),
  'its experiments': () => experiment(tenant, id),
  'its surveys': () => survey(tenant, id),
  'its early access features': () => earlyAccessFeature(tenant, id),
  'the recordings that it starts': () =>
    database()
      .update(projects)
      .set({ sessionRecordingLinkedFlagId: id })
      .where(eq(projects.id, tenant.projectId)),
  'a database that was restored': () =>
    database()
      .update(featureFlags)
      .set({ name: 'restored', updatedAt: '2026-03-01T00:00:00.000000Z' })
      .where(eq(featureFlags.id, id)),
  'its version': () =>
    database().update(featureFlags).set({ version: 7, name: 'elsewhere' }).where(eq(featureFlags.id, id)),
}

describe('an update of a remembered flag', () => {
  it('takes one round trip', async () => {
    expect(tripsOf(await patch({ name: 'one' }))).toBe(1)
    expect(tripsOf(await patch({ active: false, filters: open(), deleted: false, key: 'own' }))).toBe(1)
    forgetFlags([id])
    expect(tripsOf(await patch({ name: 'two' }))).toBe(2)
    expect(tripsOf(await patch({ version: 4, original_flag: { name: 'two' }, name: 'three' }))).toBe(1)
  })

  it.each(Object.keys(CHANGES))('responds with %s as changed in between', async (which) => {
    await patch({ name: 'before' })
    await CHANGES[which]!()
    const { status, body } = await patch({ filters: variants({ control: 50, test: 50 }) })
    expect(status).toBe(200)
    expect(body).toEqual((await tenant.get(tenant.flags(id))).body)
    expect(body.version).toBe(which === 'its version' ? 8 : which === 'its tags' ? 4 : 3)
  })

  it('responds to each of a group with the flag as its own write left it', async () => {
    const bodies = Array.from({ length: 12 }, (_, at) => ({ name: `name ${at}`, active: at % 2 === 1 }))
    const responses = await Promise.all(bodies.map((body) => patch(body)))
    for (const [at, { status, body }] of responses.entries()) {
      expect(status).toBe(200)
      expect(body).toMatchObject({ ...bodies[at], tags: ['first'], last_modified_by: { id: tenant.user.id } })
    }
    const last = responses.find(({ body }) => body.version === 13)!
    expect((await tenant.get(tenant.flags(id))).body).toEqual(last.body)
  })

  it('is 404 once the flag is gone, and for other projects', async () => {
    const other = await createTenant()
    expect((await other.patch(other.flags(id), { name: 'theirs' })).status).toBe(404)
    expect((await tenant.get(tenant.flags(id))).body.version).toBe(1)
    await database().delete(flagTags).where(eq(flagTags.flagId, id))
    await database().delete(featureFlags).where(eq(featureFlags.id, id))
    expect((await patch({ name: 'late' })).status).toBe(404)
  })

  it('waits for approval from the moment a policy is enabled', async () => {
    expect(tripsOf(await patch({ name: 'free' }))).toBe(1)
    const policy = await approvalPolicy(tenant)
    const enable = (enabled: boolean) =>
      database().update(approvalPolicies).set({ enabled }).where(eq(approvalPolicies.id, policy))
    await enable(true)
    const held = await patch({ filters: open({ groups: [{ rollout_percentage: 10 }] }) })
    expect([held.status, held.body.code]).toEqual([409, 'approval_required'])
    await enable(false)
    expect(tripsOf(await patch({ name: 'free again' }))).toBe(2)
    expect(tripsOf(await patch({ name: 'and again' }))).toBe(1)
  })

  it('keeps the rules between flags', async () => {
    const dependent = await tenant.flag({ filters: where(dependsOn(id)) })
    const rejected = await patch({ active: false })
    expect(rejected.status).toBe(400)
    forgetFlags([id])
    expect(seen(await patch({ active: false }))).toEqual(seen(rejected))
    await patch({ active: false }, dependent.id)
    expect((await patch({ active: false })).status).toBe(200)
    expect((await patch({ active: true }, dependent.id)).status).toBe(400)
  })

  it('reads what a change depends on that is more than the flag', async () => {
    const [other, people, launch] = [await tenant.flag(), await cohort(tenant), await dashboard(tenant)]
    const bodies = [
      { key: 'renamed' },
      { tags: ['x'] },
      { evaluation_contexts: ['web'] },
      { analytics_dashboards: [launch] },
      { filters: where(dependsOn(other.id)) },
      { filters: where(inCohort(people)) },
      { last_called_at: '2026-03-09T08:00:00Z' },
      { deleted: true },
      { deleted: false },
    ]
    for (const body of bodies) expect([body, tripsOf(await patch(body))]).toEqual([body, 2])
  })

  it('does not depend on what is remembered', async () => {
    const body = fc.record(
      {
        name: fc.string({ maxLength: 5 }),
        active: fc.boolean(),
        archived: fc.boolean(),
        deleted: fc.boolean(),
        key: fc.constantFrom('own', 'renamed', 'not a key'),
        tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
        filters: fc.constantFrom(
          open(),
          variants({ control: 50, test: 50 }),
          { groups: 'none' },
          { groups: [], payloads: { true: '1' } },
        ),
        ensure_experience_continuity: fc.boolean(),
        evaluation_runtime: fc.constantFrom('all', 'server'),
        has_encrypted_payloads: fc.boolean(),
        is_remote_configuration: fc.boolean(),
        version: fc.nat({ max: 4 }),
        original_flag: fc.record({ name: fc.string({ maxLength: 5 }) }),
      },
      { requiredKeys: [] },
    )
    // Payloads are encrypted with fresh random bytes.
    const shown = (text: string, own: number) =>
      text.replace(new RegExp(`\\b${own}\\b`, 'g'), 'id').replace(/"true":"[^"]*"/g, '"true":"payload"')
    await fc.assert(
      fc.asyncProperty(fc.array(body, { minLength: 2, maxLength: 6 }), async (bodies) => {
        const caller = await createTenant()
        const outcomes: string[][] = []
        for (const forgets of [false, true]) {
          const flag = await caller.flag({ key: 'own' })
          const responses: string[] = []
          for (const each of bodies) {
            if (forgets) forgetFlags([flag.id])
            const { status, body: record } = await caller.patch(caller.flags(flag.id), each)
            responses.push(shown(`${status} ${JSON.stringify(record)}`, flag.id))
          }
          const { body: log } = await caller.get(`${caller.flags(`${flag.id}/activity`)}?limit=100`)
          const entries = log.results.map(({ activity, detail }: Record<string, unknown>) => ({
            activity,
            detail,
          }))
          responses.push(shown(JSON.stringify(entries), flag.id))
          outcomes.push(responses)
          await database().delete(flagTags).where(eq(flagTags.flagId, flag.id))
          await database().delete(featureFlags).where(eq(featureFlags.id, flag.id))
        }
        expect(outcomes[0]).toEqual(outcomes[1])
      }),
      { numRuns: propertyRuns(5, 25) },
    )
  }, 60_000)
})
