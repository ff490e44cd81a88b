// What an import leaves out of events, because capture derives it again.
import { describe, expect, it } from 'vitest'
import { createClient } from '../../src/import/client'
import { readEvents } from '../../src/import/posthog/people'

describe('an event of PostHog', () => {
  it('has no properties among its changes of the person that were copied from the event itself', async () => {
    const properties = {
      $browser: 'Chrome',
      $os_name: 'iOS',
      plan: 'paid',
      $group_0: 'acme',
      $set: { $browser: 'Chrome', $os: 'iOS', plan: 'paid', gclid: 'a' },
      $set_once: { $initial_browser: 'Chrome', $initial_os: 'Linux', plan: 'paid' },
    }
    const row = ['0197d2a4-0000-7000-8000-000000000001', 'opened', '2026-01-01', 'ada', properties, '']
    const client = createClient({
      url: 'https://posthog.example.com',
      headers: {},
      key: '',
      say: () => {},
      send: async () => ({
        status: 200,
        text: JSON.stringify({ results: [row] }),
        retryAfter: null,
        location: null,
      }),
    })
    const { rows } = await readEvents(client, '/api/projects/1/', null)
    expect(rows.map((each) => each.properties)).toEqual([
      {
        $browser: 'Chrome',
        $os_name: 'iOS',
        plan: 'paid',
        $set: { plan: 'paid', gclid: 'a' },
        $set_once: { $initial_os: 'Linux', plan: 'paid' },
      },
    ])
  })
})
