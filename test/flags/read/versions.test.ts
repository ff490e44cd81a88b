import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffOf, type LoggedState } from '../../../src/flags/state'
import { type Origin, reconstruct, type VersionEntry } from '../../../src/flags/read/versions'

const initial: LoggedState = {
  created_at: '2026-03-10T12:00:01Z',
  key: 'flag',
  name: '',
  filters: { groups: [] },
  deleted: false,
  active: true,
  archived: false,
  version: 1,
  rollback_conditions: null,
  performed_rollback: null,
  ensure_experience_continuity: false,
  has_enriched_analytics: false,
  is_remote_configuration: false,
  has_encrypted_payloads: false,
  evaluation_runtime: 'all',
  bucketing_identifier: 'distinct_id',
  last_called_at: null,
}

const maybe = fc.option(fc.boolean())
const change: fc.Arbitrary<Partial<LoggedState>> = fc.record(
  {
    key: fc.constantFrom('flag', 'a', 'b'),
    name: fc.constantFrom('', 'one', 'two'),
    filters: fc.constantFrom(
      { groups: [] },
      { groups: [{ rollout_percentage: 50 }] },
      { groups: [], payloads: { true: '1' } },
    ),
    deleted: fc.boolean(),
    active: fc.boolean(),
    archived: fc.boolean(),
    rollback_conditions: fc.constantFrom(null, { at: 1 }, [{ at: 2 }], 0, false, [], {}, ''),
    created_at: fc.constantFrom('2026-03-10T12:00:01Z', '2026-02-01T00:00:00Z'),
    performed_rollback: maybe,
    ensure_experience_continuity: maybe,
    has_enriched_analytics: maybe,
    is_remote_configuration: maybe,
    has_encrypted_payloads: maybe,
    evaluation_runtime: fc.constantFrom(null, 'all', 'server', 'client'),
    bucketing_identifier: fc.constantFrom(null, 'distinct_id', 'device_id'),
    last_called_at: fc.constantFrom(null, '2026-03-01T00:00:00Z'),
  },
  { requiredKeys: [] },
)

const at = (version: number) => `2026-03-10T12:00:${String(version).padStart(2, '0')}.000000Z`

/** What is stored, and logged, when changes are made one after the other. */
function history(changes: Partial<LoggedState>[]) {
  const states = [initial]
  const entries: VersionEntry[] = []
  for (const [index, made] of changes.entries()) {
    const before = states.at(-1)!
    const after = { ...before, ...made, version: before.version + 1 }
    states.push(after)
    const logged = diffOf(before, after)
    entries.unshift({ activity: 'updated', changes: logged, createdAt: at(after.version), userId: index })
    // Contexts have entries of their own, which carry no version.
    if (index % 3 === 0)
      entries.unshift({ activity: 'updated', changes: [], createdAt: at(after.version), userId: index })
  }
  const state = states.at(-1)!
  const origin: Origin = {
    state,
    updated_at: at(state.version),
    created_by_id: -1,
    last_modified_by_id: changes.length - 1,
  }
  return { states, entries, origin }
}

describe('reconstruct', () => {
  it('gives every version the state that it had', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const { states, entries, origin } = history(changes)
        for (const state of states) {
          expect(reconstruct(origin, entries, state.version)).toEqual({
            kind: 'found',
            state,
            isHistorical: state.version < states.length,
            timestamp: state.version === 1 && states.length > 1 ? state.created_at : at(state.version),
            modifiedBy: state.version - 2,
          })
        }
        for (const unknown of [-1, 0, states.length + 1])
          expect(reconstruct(origin, entries, unknown)).toEqual({ kind: 'unknown version' })
      }),
    )
  })

  it('is a 422 for a missing entry, and never invents a state', () => {
    const cases = fc
      .array(change, { minLength: 2, maxLength: 8 })
      .chain((changes) => fc.tuple(fc.constant(changes), fc.nat({ max: changes.length - 1 })))
    fc.assert(
      fc.property(cases, ([changes, missing]) => {
        const { states, entries, origin } = history(changes)
        const lost = missing + 2
        const kept = entries.filter(({ changes: [...all] }) =>
          all.every(({ field, after }) => field !== 'version' || after !== lost),
        )
        for (const state of states) {
          const found = reconstruct(origin, kept, state.version)
          const isKnown = state.version > lost || state.version === origin.state.version
          expect(found.kind).toBe(isKnown ? 'found' : 'incomplete log')
          if (found.kind === 'found') expect(found.state).toEqual(state)
        }
      }),
    )
  })
})
