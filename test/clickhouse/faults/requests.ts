// What clients send: each client has persons and a group of its own, and sends its requests in order.
import {
  alias,
  event,
  groupIdentify,
  identify,
  mergeDangerously,
  type SentEvent,
} from '../../support/capture'
import type { Random } from './random'

export interface SentRequest {
  batch: SentEvent[]
  /** What the request has besides its batch, when it is sent at a moment. */
  rest(now: Date): Record<string, unknown>
  /** Whether no event of it can be used. */
  isInvalid: boolean
}

/** The next request of a client. */
export function nextRequest(random: Random, client: string, now: Date): SentRequest {
  const someone = () => `${client}-${random.pick(['ada', 'ben', 'anon-1', 'anon-2', 'anon-3'])}`
  const someTime = () => new Date(now.getTime() - random.below(3 * 86_400_000)).toISOString()
  const text = (length: number) => random.uuid().repeat(Math.ceil(length / 36))
  const known = (sent: SentEvent): SentEvent => ({ timestamp: someTime(), ...sent, uuid: random.uuid() })
  const of = (...batch: SentEvent[]): SentRequest => ({
    batch: batch.map(known),
    rest: () => ({}),
    isInvalid: false,
  })
  const changes = () =>
    random.pick([
      { $set: { [random.pick(['plan', 'level'])]: random.below(100) } },
      { $set_once: { first: random.below(100) } },
      { $unset: [random.pick(['plan', 'level'])] },
      { amount: random.next(), $groups: { company: client } },
      {},
    ])
  const clock = (at: Date, skewMs: number) => ({ sent_at: new Date(at.getTime() + skewMs).toISOString() })

  const kinds: (() => SentRequest)[] = [
    () => of(event(someone(), changes())),
    () =>
      of(
        ...Array.from({ length: 1 + random.below(30) }, () =>
          event(someone(), changes(), random.pick(['opened', 'bought', 'Ä "quoted" \\ event'])),
        ),
      ),
    () => of(event(someone(), { $process_person_profile: false, text: text(random.below(2_000)) })),
    () => of(event(someone(), { text: text(90_000 + random.below(200_000)) }, 'large')),
    () => of(event(someone(), { $set: { biography: text(110_000) } }, 'large person')),
    () => of(identify(someone(), someone(), { $set: { name: text(20) } })),
    () => of(alias(someone(), someone()), mergeDangerously(someone(), someone())),
    () =>
      of(
        groupIdentify(
          'company',
          client,
          { seats: random.below(50), ...(random.isLikely(0.2) ? { about: text(110_000) } : {}) },
          someone(),
        ),
      ),
    // Timestamps that the service makes.
    () => of({ ...event(someone(), changes(), 'untimed'), timestamp: '' }),
    () => of({ ...event(someone(), {}, 'untimed'), timestamp: '2027-01-01T00:00:00Z' }),
    () => {
      const rest = clock(now, -3_600_000 - random.below(60_000))
      return { ...of(event(someone(), changes(), 'untimed')), rest: () => rest }
    },
    // As SDKs do: each attempt has its own time of sending.
    () => ({ ...of(event(someone(), changes())), rest: (at) => clock(at, random.below(2_000) - 1_000) }),
    // Of these, some or all are rejected.
    () => {
      const request = of(event(someone(), changes()), { event: 'refused', properties: {} })
      return { ...request, batch: random.shuffled(request.batch) }
    },
    () => ({ ...of({ event: 'refused', distinct_id: '' }), isInvalid: true }),
  ]
  return random.pick(kinds)()
}

/** Makes the group types, so that they have the same numbers everywhere. */
export const FIRST: SentRequest = {
  batch: [{ ...groupIdentify('company', 'first'), uuid: '00000000-0000-4000-8000-000000000001' }],
  rest: () => ({}),
  isInvalid: false,
}
