// A Worker that parses the same requests and inserts the same rows without a check, which is the least that capture can cost. It is not
// bundled, so it imports nothing at run time.

interface Sent {
  event: string
  distinct_id: string
  offset: number
  properties: { $set?: Record<string, unknown> }
}

const INSERT_EVENTS = `INSERT INTO events
  SELECT NULL, 1, value ->> '$.uuid', value ->> '$.event', value ->> '$.distinct_id', value ->> '$.timestamp', value ->> '$.timestamp',
    value ->> '$.sets', NULL, NULL, jsonb(value -> '$.properties') FROM json_each(?1)`
const INSERT_PERSONS = `INSERT INTO persons
  SELECT NULL, 1, value ->> '$.uuid', value -> '$.set', 0, value ->> '$.at', 0 FROM json_each(?1)`
const INSERT_IDS = `INSERT INTO person_distinct_ids
  SELECT 1, value ->> '$.distinct_id', p.id, 0 FROM json_each(?1) CROSS JOIN persons p ON p.project_id = 1 AND p.uuid = (value ->> '$.uuid')`

export default {
  async fetch(request, { DB, EVENTS }) {
    const { batch } = (await request.json()) as { batch: Sent[] }
    const now = Date.now()
    const at = new Date(now).toISOString().replace('Z', '000Z')
    const events = batch.map(({ event, distinct_id, properties, offset }) => ({
      uuid: crypto.randomUUID(),
      event,
      distinct_id,
      properties,
      timestamp: new Date(now - offset).toISOString().replace('Z', '000Z'),
      sets: properties.$set ? 1 : 0,
    }))
    const people = [...new Map(batch.map((each) => [each.distinct_id, each])).values()]
      .filter((each) => each.distinct_id.startsWith('new-'))
      .map(({ distinct_id, properties }) => ({
        uuid: crypto.randomUUID(),
        distinct_id,
        set: properties.$set ?? {},
        at,
      }))
    if (people.length > 0) {
      const json = JSON.stringify(people)
      await DB.batch([DB.prepare(INSERT_PERSONS).bind(json), DB.prepare(INSERT_IDS).bind(json)])
    }
    await EVENTS.prepare(INSERT_EVENTS).bind(JSON.stringify(events)).run()
    return Response.json({ status: 'Ok' })
  },
} satisfies ExportedHandler<{ DB: D1Database; EVENTS: D1Database }>
