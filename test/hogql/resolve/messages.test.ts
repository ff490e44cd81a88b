// What errors suggest to write instead.
import { expect, it } from 'vitest'
import { compileHogql } from '../../../src/hogql/compile'
import { HogqlError } from '../../../src/hogql/error'
import { closestTo } from '../../../src/hogql/suggest'

async function messageOf(sql: string): Promise<string> {
  const error: unknown = await compileHogql(sql, {
    timezone: 'UTC',
    variables: {},
    propertyTypes: () => undefined,
  }).catch((thrown: unknown) => thrown)
  if (!(error instanceof HogqlError)) throw error
  return error.message
}

it.each([
  ['SELECT coutn() FROM events', "Unsupported function call 'coutn(...)'. Perhaps you meant 'count(...)'?"],
  ['SELECT nothing_like_it() FROM events', "Unsupported function call 'nothing_like_it(...)'."],
  [
    "SELECT count() FROM events WHERE matchesAction('buy')",
    "Unsupported function call 'matchesAction(...)': there are no actions. Write the action's conditions, such as event = '$autocapture' AND elements_chain_href = '/pay'.",
  ],
  ["SELECT toTimeZone(timestamp, 'Europe/Pari') FROM events", "There is no time zone 'Europe/Pari'"],
  ['SELECT evnt FROM events', "Unable to resolve field: evnt (did you mean 'event'?)"],
  ['SELECT e.tiemstamp FROM events e', "Unable to resolve field: e.tiemstamp (did you mean 'timestamp'?)"],
  [
    'SELECT person.propertis.a FROM events',
    "Unable to resolve field: person.propertis.a (did you mean 'properties'?)",
  ],
  ['SELECT event AS name FROM events WHERE nmae = 1', "Unable to resolve field: nmae (did you mean 'name'?)"],
  ['SELECT 1 FROM event', "Unknown table 'event'. Did you mean 'events'?"],
  ['WITH visits AS (SELECT 1) SELECT 1 FROM vists', "Unknown table 'vists'. Did you mean 'visits'?"],
  [
    'SELECT 1 FROM events WHERE event = "$pageview"',
    "Unable to resolve field: $pageview (double quotes are for names of fields: write '$pageview' for a text)",
  ],
  ['SELECT event form events', "Syntax error at 'events'."],
  ['SELEC 1', 'Syntax error: a query begins with SELECT or WITH.'],
  ['SELECT 1; SELECT 2', "Syntax error at 'SELECT': nothing may follow the query."],
  ["SELECT 'a", 'Syntax error: the text that begins here has no closing quote.'],
  ['SELECT TOP 5 event FROM events', 'TOP is not supported: use LIMIT at the end of the query'],
])('%s', async (sql, message) => {
  expect(await messageOf(sql)).toBe(message)
})

it('suggests names of similar length that differ in few letters', () => {
  expect(closestTo('timestmap', ['time', 'timestamp'])).toBe('timestamp')
  expect(closestTo('ab', ['abc'])).toBeUndefined()
  expect(closestTo('event', ['event'])).toBeUndefined()
  expect(closestTo('x'.repeat(61), ['x'.repeat(60)])).toBeUndefined()
})
