import { expect, it } from 'vitest'
import { levelOf } from '../../src/console/team/levels'

it.each([
  ['a member', 1, null, 1],
  ['an owner who is impersonated', 15, false, 15],
  ['an owner who is impersonated read-only', 15, true, 0],
])('lets %s change what the service would', (_name, level, isReadOnly, expected) => {
  const organization = { membership_level: level } as Parameters<typeof levelOf>[0]['organization']
  expect(levelOf({ organization, is_impersonated_read_only: isReadOnly })).toBe(expected)
})
