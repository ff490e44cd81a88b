// The guide's page of functions: complete, each with its example. `npm run openapi -- --check` compares it with the catalogue.
import { expect, it } from 'vitest'
import page from '../../src/docs/guide/functions.md?raw'
import { FUNCTIONS } from '../../src/hogql/functions/catalogue'
import { MACROS } from '../../src/hogql/resolve/expressions/macros/macros'

const rows = page.split('\n').filter((line) => line.startsWith('| `'))

it('lists every function by every name', () => {
  const names = [
    ...FUNCTIONS.flatMap(({ name, aliases = [] }) => [name, ...aliases]),
    ...MACROS.flatMap((macro) => macro.names),
  ]
  expect(names.filter((name) => !rows.some((row) => new RegExp(`\`${name}[\`(]`).test(row)))).toEqual([])
})

it('has an example of every function', () => {
  expect(rows.filter((row) => /\|\s*\|$/.test(row))).toEqual([])
})
