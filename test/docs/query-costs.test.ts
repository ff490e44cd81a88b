// The numbers of the guide on query costs against the code.
import { expect, it } from 'vitest'
import { SHARD_LIMITS } from '../../src/analytics/engine/admission'
import { MAX_RESULT_BYTES, MAX_RESULT_ROWS } from '../../src/analytics/engine/limits'
import { MAX_WAIT_MS } from '../../src/analytics/query-gate/query-gate-client'
import guide from '../../src/docs/guide/query-costs.md?raw'
import { LIGHT_QUERY_NS, MAX_HELD_BYTES, MAX_MEASURES_NS, MAX_QUERY_NS } from '../../src/hogql/cost/budget'
import { MAX_LENGTH, MAX_NUMBERS } from '../../src/hogql/functions/limits'

const number = (value: number) => value.toLocaleString('en')

it.each([
  `| ${MAX_QUERY_NS / 1e9} s`,
  `| ${MAX_HELD_BYTES / 1e9} GB`,
  `| ${MAX_MEASURES_NS / 1e9} s, estimated`,
  `${MAX_RESULT_BYTES / 1024 / 1024} MiB of values, ${number(MAX_RESULT_ROWS)} rows`,
  `below ${LIGHT_QUERY_NS / 1e9} s starts at once`,
  `estimated at ${SHARD_LIMITS.weight / 1e9} s in all`,
  `waits ${MAX_WAIT_MS / 1000} s at most, ${SHARD_LIMITS.waitingPerOrganization} of an organization and ${SHARD_LIMITS.waiting} in all`,
  `the number is ${number(MAX_LENGTH)} at most`,
  `${number(MAX_LENGTH)} numbers; \`numbers\` ${number(MAX_NUMBERS)} rows`,
])('the guide contains %j', (words) => {
  expect(guide.replaceAll(/\s+/g, ' ')).toContain(words)
})
