// Filters as a whole: how large they may be (rule 33 of docs/reference/flags.md#rules-for-filters), and what breaks none of the rules.
import { describe, expect, it } from 'vitest'
import { refused } from '../../support/responses'
import { open, property, variants, where } from '../../support/filters'
import { createTenant } from '../../support/tenant'
import { create, group, text, validated } from './breaches'

describe('filters of a new flag', () => {
  it('rule 33 limits them to 512 KiB of UTF-8', async () => {
    const tenant = await createTenant()
    /** Filters whose stored form has that many bytes. */
    const sized = (bytes: number) => {
      const filters = {
        groups: [{ properties: [], aggregation_group_type_index: null }],
        note: '',
        aggregation_group_type_index: null,
      }
      const rest = bytes - new TextEncoder().encode(JSON.stringify(filters)).byteLength
      return { ...filters, note: 'é'.repeat(Math.floor(rest / 2)) + 'e'.repeat(rest % 2) }
    }
    expect(await create(tenant, sized(524_289))).toEqual(
      refused(
        'filters',
        'Feature flag filters exceed maximum size of 524288 bytes. Current size: 524289 bytes. ' +
          'Please simplify conditions or reduce payload sizes.',
      ),
    )
    expect(await create(tenant, sized(524_288))).toMatchObject({ status: 201 })
  })

  it.each([
    ['no rule', open()],
    ['a fraction', group({ rollout_percentage: 0.5 })],
    ['no share', group({ rollout_percentage: null })],
    ['no properties', { groups: [{}] }],
    ['thirds', variants({ a: 33.3, b: 33.3, c: 33.4 })],
    ['an override', variants({ a: 100 }, group({ variant: 'a' }))],
    ['an empty override', group({ variant: '' })],
    ['variants of one key', variants({ a: 100 })],
    ['a variant key of any characters', variants({ 'a b/ç': 100 })],
    ['variants that are an empty list', open({ multivariate: { variants: [] } })],
    ['no multivariate', open({ multivariate: null })],
    ['a holdout', open({ holdout: { id: 5, exclusion_percentage: 10 } })],
    ['early exit', open({ early_exit: true, feature_enrollment: false })],
    ['no operator', where(property({ operator: null }))],
    ['a look-behind', text('regex', '(?<=a)b')],
    ['a list', text('exact', ['a', 'b'])],
    ['lists', text('icontains_multi', ['a', 'b'])],
    ['a relative date', text('is_date_before', '-7d')],
    ['a relative date without a sign', text('is_date_after', '6h')],
    ['a date', text('is_date_exact', '2026-02-28')],
    ['a moment', text('is_date_exact', '2026-02-28T10:00:00Z')],
    ['a major version', text('semver_eq', '1')],
    ['a minor version', text('semver_tilde', '1.0')],
    ['a version', text('semver_caret', '1.2.3-rc.1')],
    ['a version wildcard', text('semver_wildcard', '1.2.*')],
    ['presence', text('is_set', 'is_set')],
    ['absence', where(property({ operator: 'is_not_set', value: undefined }))],
  ])('may hold %s', (_, filters) => {
    expect(validated(filters)).toMatchObject({ groups: expect.any(Array) })
  })
})
