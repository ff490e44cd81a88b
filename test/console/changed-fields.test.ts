import { expect, it } from 'vitest'
import { fieldsChanged } from '../../src/console/edit/changed-fields'

it('sends fields that changed, and no others', () => {
  const before = { name: 'a', note: '', events: ['*'] }
  expect(fieldsChanged(before, { ...before, events: ['*'] })).toEqual({})
  expect(fieldsChanged(before, { name: 'b', note: '', events: ['x'] })).toEqual({ name: 'b', events: ['x'] })
})
