import { expect, it } from 'vitest'
import { fieldsChanged } from '../../src/console/edit/changed-fields'
import { expectUnchanged, Overtaken } from '../../src/console/edit/overtaken'

it('sends fields that changed, and no others', () => {
  const before = { name: 'a', note: '', events: ['*'] }
  expect(fieldsChanged(before, { ...before, events: ['*'] })).toEqual({})
  expect(fieldsChanged(before, { name: 'b', note: '', events: ['x'] })).toEqual({ name: 'b', events: ['x'] })
})

it('replaces what is as the caller knows it, and nothing that was changed since', async () => {
  const current = { id: 1, name: 'a', tags: ['x'] }
  const expecting = (expected: { name?: string; tags?: string[] }) =>
    expectUnchanged(
      expected,
      () => Promise.resolve(current),
      ({ name, tags }) => ({ name, tags }),
    )
  await expecting({ name: 'a' })
  await expecting({ name: 'a', tags: ['x'] })
  await expect(expecting({ name: 'a', tags: [] })).rejects.toThrow(new Overtaken(current))
})
