// A sender of events, which repeats a request until it is answered, as SDKs do: each event is to be stored once.
import type { Credentials } from '../../src/cli/local/credentials'
import type { Client } from './client'
import type { Random } from './random'

export interface EventSender {
  /** When each event was acknowledged, by uuid. */
  acknowledged: ReadonlyMap<string, number>
  /** Distinct ids of acknowledged events. */
  people: ReadonlySet<string>
  step(): Promise<void>
}

const PEOPLE = 300
const LARGE = 300_000

export function createEventSender(
  client: Client,
  { project_api_token: token }: Credentials,
  random: Random,
): EventSender {
  const acknowledged = new Map<string, number>()
  const people = new Set<string>()
  const event = (properties: object = {}) => ({
    uuid: crypto.randomUUID(),
    event: random.pick(['opened', 'paid', 'closed']),
    distinct_id: `person-${random.between(1, PEOPLE)}`,
    properties: { plan: random.pick(['free', 'pro']), ...properties },
  })

  async function send(path: string, body: object, sent: readonly ReturnType<typeof event>[]): Promise<void> {
    const response = await client.insist('POST', path, { body })
    if (response.status !== 200) {
      client.violate(`POST ${path}: ${response.status} ${JSON.stringify(response.body).slice(0, 300)}`)
      return
    }
    client.tally.acknowledged += 1
    const now = Date.now()
    for (const { uuid, distinct_id } of sent) {
      acknowledged.set(uuid, now)
      people.add(distinct_id)
    }
  }

  return {
    acknowledged,
    people,
    async step() {
      const roll = random.next()
      if (roll < 0.5) {
        const one = event(random.next() < 0.3 ? { $set: { seen: random.between(1, 9) } } : {})
        return send('/i/v0/e/', { api_key: token, ...one }, [one])
      }
      const batch =
        roll < 0.95
          ? Array.from({ length: random.between(2, 40) }, () => event())
          : [event({ long: 'x'.repeat(LARGE) }), event()]
      return send('/batch/', { api_key: token, batch }, batch)
    },
  }
}
