// The guide's page of functions: complete, each with its example. `npm run openapi -- --check` compares it with the catalogue.
import { expect, it } from 'vitest'
import { FUNCTION_FORMS } from '../../src/docs/function-forms'
import { engineOfExample } from '../../src/docs/functions-guide'
import page from '../../src/docs/guide/functions.md?raw'
import { FUNCTIONS } from '../../src/hogql/functions/catalogue'
import { MACRO_FORMS, MACROS } from '../../src/hogql/resolve/expressions/macros/macros'
import { FORMS } from '../../src/hogql/resolve/expressions/special-forms'

const rows = page.split('\n').filter((line) => line.startsWith('| `'))

it('lists every function by every name, once', () => {
  const names = [
    ...FUNCTIONS.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    ...MACROS.flatMap((macro) => macro.names),
    ...FUNCTION_FORMS.flatMap((form) => form.names),
  ]
  const listed = rows.flatMap((row) =>
    row
      .split(' | ')
      .slice(0, 2)
      .flatMap((cell) => [...cell.matchAll(/`(\w+)[`(]/g)].map(([, name]) => name)),
  )
  expect(names.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([])
})

it('has an example of every function', () => {
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([])
})

it('has every operator and form, with an example that compiles', () => {
  const named = FUNCTION_FORMS.flatMap(({ names }) => names.map((name) => name.toLowerCase()))
  const macros = new Map(MACRO_FORMS)
  const others = [...FORMS.keys()].filter((name) => !name.startsWith('_') && !macros.has(name))
  expect(named.toSorted()).toEqual(others.toSorted())
  for (const { example } of FUNCTION_FORMS)
    expect([example, engineOfExample(example)]).toEqual([example, 'both'])
})

it.each([
  ['sum', 'of all NULL'],
  ['count', 'never'],
  ['ifNull', 'of all NULL'],
  ['coalesce', 'of all NULL'],
  ['greatest', 'of all NULL'],
  ['lower', 'of NULL'],
  ['concat', 'never'],
  ['nullIf', 'possible'],
  ['lag', 'possible'],
  ['roundDown', 'of NULL'],
  ['multiSearchAllPositions', 'never'],
  ['parseDateTime', 'possible'],
])('says when %s is NULL', (name, nulls) => {
  const row = rows.find((each) => each.startsWith(`| \`${name}(`))
  expect(row?.split(' | ')[3]?.trim()).toBe(nulls)
})
