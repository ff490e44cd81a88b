// What an event or a person is about, at a glance.
import { expect, it } from 'vitest'
import { eventSummary, propertiesSummary } from '../../src/console/grammar/summaries'

it.each([
  ['$pageview', { $current_url: 'https://example.com/pricing?from=mail#top' }, 'example.com/pricing'],
  ['$pageview', { $current_url: '/pricing', $pathname: '/pricing' }, '/pricing'],
  ['$screen', { $screen_name: 'Pricing' }, 'Pricing'],
  ['$feature_flag_called', { $feature_flag: 'checkout', $feature_flag_response: 'test' }, 'checkout: test'],
  ['$feature_flag_called', { $feature_flag: 'checkout', $feature_flag_response: false }, 'checkout: false'],
  ['$identify', { $set: { email: 'ada@example.com', $browser: 'Chrome' } }, 'email: ada@example.com'],
  ['$autocapture', { $el_text: 'Buy now' }, '“Buy now”'],
  ['purchase', { $lib: 'web', plan: 'pro', amount: 20, nested: { a: 1 } }, 'plan: pro · amount: 20'],
  ['purchase', { $current_url: 'https://example.com/buy' }, 'example.com/buy'],
  ['purchase', { note: 'x'.repeat(60) }, `note: ${'x'.repeat(39)}…`],
  ['purchase', { note: `${'x'.repeat(38)}😀${'x'.repeat(9)}` }, `note: ${'x'.repeat(38)}…`],
  ['purchase', {}, ''],
])('says what happened in %s with %j', (event, properties, words) => {
  expect(eventSummary(event, properties)).toBe(words)
})

it('leaves out what is said elsewhere', () => {
  expect(propertiesSummary({ email: 'ada@example.com', plan: 'pro' }, new Set(['email']))).toBe('plan: pro')
})
