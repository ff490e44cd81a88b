// What pages say of policies: who has to approve, and how long a request waits.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { approvedWords, approverWords, stateOf, titleOf, voteOf } from '../../src/console/approvals/words'
import { expiryWords, readExpiry, UNITS, writeExpiry } from '../../src/console/approvals/expiry'

it.each([
  [['Ada'], 1, 'Ada has to approve.'],
  [['Ada', 'Bob'], 1, 'Ada or Bob has to approve.'],
  [['Ada', 'Bob'], 2, 'Ada and Bob have to approve.'],
  [['Ada', 'Bob', 'Cleo'], 1, 'Ada, Bob, or Cleo has to approve.'],
  [['Ada', 'Bob', 'Cleo'], 2, '2 of Ada, Bob, and Cleo have to approve.'],
])('says who has to approve: %j, %d', (names, quorum, words) => {
  expect(approverWords(names, quorum)).toBe(words)
})

it.each([
  [[], 'approved'],
  [['Ada'], 'approved by Ada'],
  [['Ada', 'Bob', 'Cleo'], 'approved by Ada, Bob, and Cleo'],
])('says who approved: %j', (names, words) => {
  expect(approvedWords(names)).toBe(words)
})

it.each([
  [{ id: 1 }, { id: 1 }, 'Canceled'],
  [{ id: 1 }, { id: 2 }, 'Rejected'],
  [null, null, 'Rejected'],
])('says who ended a request: author %j, voter %j', (author, voter, text) => {
  const vote = { decision: 'rejected', created_by: voter } as never
  const request = { state: 'rejected', created_by: author, approvals: [vote] } as never
  expect(stateOf(request).text).toBe(text)
  expect(voteOf(request, vote).text).toBe(text)
})

const sets = (...shares: number[]) => ({
  filters: { groups: shares.map((share) => ({ properties: [], rollout_percentage: share })) },
})

it.each([
  [sets(10), sets(60), 'checkout: Condition set 1 goes from 10% to 60% of people'],
  [{ active: false }, { active: true }, 'checkout: Enables the flag'],
  [
    { ...sets(10), active: true },
    { ...sets(10, 60), active: false },
    'checkout: Adds condition set 2: 60% of people, and 1 more change',
  ],
  [
    sets(),
    { filters: { groups: [{ properties: [{ type: 'cohort', key: 'id', operator: 'in', value: 1 }] }] } },
    'checkout: Adds condition set 1: people in the cohort Testers',
  ],
  [sets(10), sets(10), 'Change checkout'],
])('names a request by what it changes: %j to %j', (before, after, title) => {
  const request = { intent: { flag_key: 'checkout' }, intent_display: { before, after } } as never
  expect(titleOf(request, { cohortOf: () => 'Testers' })).toBe(title)
})

it.each([
  ['14 00:00:00', '14 days'],
  ['1 00:00:00', '1 day'],
  ['01:00:00', '1 hour'],
  ['1 12:00:00', '36 hours'],
  ['00:90:00', '90 minutes'],
  ['3 00:00:01', '4,321 minutes'],
])('reads %s as %s', (duration, words) => {
  expect(expiryWords(duration)).toBe(words)
})

it('reads what it writes as the same time', () => {
  const unit = fc.constantFrom(...UNITS.map(([each]) => each))
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), unit, (count, of) => {
      const written = writeExpiry({ count, unit: of })
      expect(written).toMatch(/^\d+ \d\d:\d\d:00$/)
      expect(writeExpiry(readExpiry(written))).toBe(written)
    }),
  )
})
