// The check of `npm run check` that finds names of classes that two style sheets of the console have.
import { expect, it } from 'vitest'
import { sharedNames } from './styles'

const BASE = 'src/console/design/base.css'

it.each([
  ['a table of a page and a kind of buttons', '.plain {}', '.button.plain:hover:not(:disabled, [x]) {}'],
  ['two lists', '.list {}', '@media (max-width: 40rem) { .list > li, .other {} }'],
  ['a state', '.list:hover {}', '.list::before {}'],
])('finds %s', (_what, one, other) => {
  expect(
    sharedNames([
      ['a.css', one],
      ['b.css', other],
    ]),
  ).not.toEqual([])
})

it('names both sheets', () => {
  expect(
    sharedNames([
      ['a.css', '.plain td {}'],
      ['b.css', '.button.plain {}'],
    ]),
  ).toEqual(['a.css: .plain is a name of b.css, too: .button.plain'])
})

it.each([
  ['a name within others', 'a.css', '.facts {}', '.deliveries .facts {}'],
  ['a name that others limit', 'a.css', '.content {}', '.content:has(.dock) {} .content[aria-busy] {}'],
  ['a name in a comment', 'a.css', '.plain {}', '/* .plain { */ .other {}'],
  ['names for all that are added to others', BASE, '.small {}', '.button.small {}'],
])('accepts %s', (_what, sheet, one, other) => {
  expect(
    sharedNames([
      [sheet, one],
      ['b.css', other],
    ]),
  ).toEqual([])
})

it('finds a name for all that another sheet defines', () => {
  expect(
    sharedNames([
      [BASE, '.row {}'],
      ['b.css', '.row > td {}'],
    ]),
  ).toHaveLength(2)
})
