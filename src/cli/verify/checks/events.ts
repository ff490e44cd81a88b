// Checks events, and the people that they create.
import { type Check, until } from '../check'
import { ensure } from '../outcome'

const QUEUE =
  'Events wait in the queue that ends in -ingestion: `npx wrangler queues list` shows its consumer. The log has `rows were not written to an analytics store` where a shard or ClickHouse fails.'

/** The seconds in which queries must see an event. They usually see it after one or two; a busy shard takes longer. */
const ARRIVAL_SECONDS = 40
/** The seconds in which the minute's trigger must have repeated what a request could not finish. */
const TRIGGER_SECONDS = 100

interface Person {
  id: number
  properties: Record<string, unknown>
}

export const eventChecks: readonly Check[] = [
  {
    name: 'A person that is deleted is gone, with all events',
    async check(context) {
      const { capture, call, query } = await context.project()
      const distinctId = 'verify-deleted'
      const count = async () =>
        Number((await query(`SELECT count() FROM events WHERE distinct_id = '${distinctId}'`))[0]?.[0])
      await capture([
        { event: 'verify deleted', distinct_id: distinctId, properties: { $set: { plan: 'pro' } } },
      ])
      await until(context, ARRIVAL_SECONDS, 'queries did not see the event', async () =>
        (await count()) === 1 ? true : null,
      )
      const [person] = (await call<{ results: Person[] }>('GET', `persons/?distinct_id=${distinctId}`))
        .results
      ensure(person, 'the event has created no person')
      await call('DELETE', `persons/${person.id}/?delete_events=true`)
      const left = (await call<{ results: Person[] }>('GET', `persons/?distinct_id=${distinctId}`)).results
      ensure(left.length === 0, 'the person is listed after it was deleted')
      const { took } = await until(
        context,
        TRIGGER_SECONDS,
        'the events of a deleted person were not deleted',
        async () => ((await count()) === 0 ? true : null),
      )
      return took
    },
    advice:
      "The minute's trigger repeats it: look for `outbox task … failed` in the log, and at [triggers] in wrangler.toml.",
  },
  {
    name: 'A captured event is queried',
    async check(context) {
      const { capture, query } = await context.project()
      await capture([
        { event: 'verify captured', distinct_id: 'verify-captured', properties: { amount: 42 } },
      ])
      const text = "SELECT properties.amount FROM events WHERE event = 'verify captured'"
      const { value, took } = await until(
        context,
        ARRIVAL_SECONDS,
        'queries did not see the event',
        async () => {
          const rows = await query(text)
          return rows.length > 0 ? rows : null
        },
      )
      ensure(value[0]?.[0] === 42, `the event was read as ${JSON.stringify(value)}`)
      return `after ${took}`
    },
    advice: QUEUE,
  },
  {
    name: 'An event sets a property of a person, which a flag reads',
    async check(context) {
      const { capture, createFlag, evaluate } = await context.project()
      await capture([
        { event: '$set', distinct_id: 'verify-person', properties: { $set: { verify_plan: 'pro' } } },
      ])
      const properties = [{ key: 'verify_plan', type: 'person', operator: 'exact', value: 'pro' }]
      const { key } = await createFlag('verify-person', {
        filters: { groups: [{ properties, rollout_percentage: 100 }] },
      })
      await until(context, 70, `/flags/ did not read the person for ${key}`, async () =>
        (await evaluate('verify-person')).flags[key]?.enabled ? true : null,
      )
      const other = (await evaluate('verify-other')).flags[key]
      ensure(other?.enabled === false, `${key} is ${JSON.stringify(other)} for somebody without the property`)
    },
    advice:
      '/flags/ reads persons from the nearest replica of DB: with replication, set PERSON_READS to `primary` to see whether the replica is late. The log has the error.',
  },
]
