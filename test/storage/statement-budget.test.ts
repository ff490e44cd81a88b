// Each trigger sends at most 1,000 statements to D1, which is the limit of an invocation.
import { expect, it } from 'vitest'
import { MAX_DELETION_BATCHES } from '../../src/analytics/delete-person-data'
import { MAX_PRUNE_BATCHES } from '../../src/analytics/prune-events'
import { MAX_DROPS } from '../../src/endpoints/materialization/unused-tables'
import { MAX_MAIN_STATEMENTS, MAX_SHARD_STATEMENTS } from '../../src/jobs/daily'
import { MAX_TASKS_PER_RUN } from '../../src/outbox/outbox'
import { MAX_REENCRYPTION_STATEMENTS } from '../../src/storage/reencrypt'

const MAX_STATEMENTS = 1_000

/** The steps that send a few statements each. */
const SINGLE_STEPS = 40

it('leaves statements of the minute to scheduled backups', () => {
  // A run reads about 32 pages, and the columns and references of up to 60 tables.
  const backup = 32 + 2 * 60
  const tasks = MAX_TASKS_PER_RUN * 7 + MAX_DELETION_BATCHES * 4
  const used = tasks + MAX_REENCRYPTION_STATEMENTS + MAX_DROPS * 2
  expect(used + backup + SINGLE_STEPS).toBeLessThanOrEqual(MAX_STATEMENTS)
})

it('keeps the statements of the day', () => {
  const used = MAX_PRUNE_BATCHES * 4 + MAX_MAIN_STATEMENTS + MAX_SHARD_STATEMENTS
  expect(used + SINGLE_STEPS).toBeLessThanOrEqual(MAX_STATEMENTS)
})
