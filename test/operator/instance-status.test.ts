// The state of the deployment, for staff.
import { describe, expect, it } from 'vitest'
import { outbox } from '../../drizzle'
import { createHarness } from '../support/harness'
import { forbidden, seen } from '../support/responses'
import { browserWith, signIn } from '../support/session'
import { failingDatabases } from '../support/faults/stalled-d1'
import { createTenant, database } from '../support/tenant'
import { cookieIn, updateUser } from '../support/user'
import { csrfTokenOf } from '../../src/auth/csrf'

const PATH = '/api/instance_status/'
const NOT_STAFF = forbidden('You are not a staff user, contact your instance admin.')

describe('the state of the deployment', () => {
  it('is for staff with a session only', async () => {
    const harness = createHarness()
    const [staff, user] = [await createTenant({ harness }), await createTenant({ harness })]
    const own = await signIn(staff)
    expect(seen(await own.get(PATH))).toEqual(NOT_STAFF)
    await updateUser(staff, { isStaff: true })
    expect((await own.get(PATH)).status).toBe(200)
    expect((await staff.get(PATH)).status).toBe(403)
    const started = await own.send('POST', `/admin/login/user/${user.user.id}/`, {
      raw: new URLSearchParams({ csrf: csrfTokenOf(own.token), reason: 'Ticket 7' }),
    })
    const as = browserWith(harness, cookieIn(started, 'sessionid')!, own.sessionId)
    expect((await as.get('/api/users/@me/')).body.is_impersonated).toBe(true)
    expect(seen(await as.get(PATH))).toEqual(NOT_STAFF)
  })

  it('has databases, tasks, builds and snapshots', async () => {
    const staff = await createTenant()
    await updateUser(staff, { isStaff: true })
    await staff.flag({ key: 'checkout' })
    const at = '2026-03-01T00:00:00.000000Z'
    await database()
      .insert(outbox)
      .values({
        id: crypto.randomUUID(),
        projectId: staff.projectId,
        task: { kind: 'copy_people', persons: [], groups: [] },
        createdAt: at,
        dueAt: at,
        attempts: 3,
      })
    const { status, body, line } = await (await signIn(staff)).get(PATH)
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        time: '2026-03-10T12:00:00Z',
        databases: [
          { name: 'DB', plane: 'main' },
          { name: 'EVENTS', plane: 'analytics' },
        ].map((each) => ({
          ...each,
          bytes: expect.any(Number),
          max_bytes: 10_000_000_000,
          warning: null,
        })),
        outbox: {
          tasks: expect.any(Number),
          due: expect.any(Number),
          oldest_created_at: '2026-03-01T00:00:00Z',
          most_attempts: 3,
        },
        materializations: {
          due: expect.any(Number),
          due_since: null,
          building: expect.any(Number),
          failed: expect.any(Number),
        },
        automation: {
          webhooks_paused: expect.any(Number),
          webhooks_failing: expect.any(Number),
          deliveries: expect.any(Number),
          deliveries_due_since: expect.toBeOneOf([null, expect.any(String)]),
          scheduled_changes_overdue: expect.any(Number),
          scheduled_changes_overdue_since: expect.toBeOneOf([null, expect.any(String)]),
          change_requests: expect.any(Number),
        },
        queues: [
          { name: 'INGESTION', messages: null, oldest_at: null },
          { name: 'BUILDS', messages: 0, oldest_at: null },
          { name: 'WEBHOOKS', messages: 0, oldest_at: null },
        ],
        backup: null,
        requests: {
          since: '2026-03-10T12:00:00Z',
          total: expect.any(Number),
          errors: 0,
          recent_error_rate: 0,
          recent_p95_ms: expect.any(Number),
        },
        snapshots: expect.arrayContaining([
          {
            project_id: staff.projectId,
            project_name: expect.any(String),
            generation: expect.any(Number),
            published_generation: expect.any(Number),
            checked_at: expect.any(String),
          },
        ]),
      },
    })
    expect(line.d1_round_trips).toBeLessThanOrEqual(4)
  })

  it('has the rest when a shard fails', async () => {
    const { shard } = failingDatabases()
    const staff = await createTenant({ harness: createHarness({ bindings: { EVENTS: shard.d1 } }) })
    await updateUser(staff, { isStaff: true })
    const browser = await signIn(staff)
    shard.fail('loses connections')
    const { status, body } = await browser.get(PATH)
    expect({
      status,
      databases: body.databases.map(({ bytes }: { bytes: number | null }) => typeof bytes),
    }).toEqual({
      status: 200,
      databases: ['number', 'object'],
    })
  })
})
