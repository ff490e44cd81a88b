import { expect, it } from 'vitest'
import figures from '../../src/docs/guide/figures.md?raw'
import { replaceFigures } from '../bench/figures'

it.each([
  'api',
  'capture',
  'compile',
  'console',
  'evaluation',
  'flags',
  'hostile',
  'materialized',
  'published',
  'queries',
])('replaces the figures of %s and nothing else', (name) => {
  const page = replaceFigures(figures, name, '| a | b |\n')!
  expect(page).toContain(`<!-- bench ${name} -->\n\n| a | b |\n\n<!-- /bench -->`)
  const lines = new Set(figures.split('\n'))
  expect(page.split('\n').filter((line) => !lines.has(line))).toEqual(['| a | b |'])
})

it('leaves out a bench without a place in the page', () => {
  expect(replaceFigures(figures, 'cost', '| a |')).toBeNull()
})
