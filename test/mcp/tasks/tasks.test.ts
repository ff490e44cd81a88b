// Whether a task in plain words leads to its tool, by names and descriptions alone.
import { describe, expect, it } from 'vitest'
import { tools } from '../../support/generated'
import { TASKS } from './tasks'

/** Tools that a search may offer before a model chooses. */
const OFFERED = 3

/** Words that every search leaves out. */
const STOP_WORDS = new Set(
  'a an and are as at by can did do does for has have how i in is it many my not of off on or our s the then this to was what when which who why with you your'.split(
    ' ',
  ),
)

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]+/g) ?? [])
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => word.replace(/(?:ing|ed|es|s|e)$/, ''))

const documents = tools.map(({ describes: { name, description } }) => ({
  name, // Names count twice.
  words: wordsOf(`${name} ${name} ${description}`),
}))
const averageLength = documents.reduce((total, { words }) => total + words.length, 0) / documents.length

/** Names of the tools, the best first: BM25, which tool searches use. */
function ranked(task: string): string[] {
  const wanted = new Set(wordsOf(task))
  const scoreOf = (words: readonly string[]) =>
    [...wanted].reduce((score, word) => {
      const containing = documents.filter((each) => each.words.includes(word)).length
      if (containing === 0) return score
      const count = words.filter((each) => each === word).length
      const rarity = Math.log(1 + (documents.length - containing + 0.5) / (containing + 0.5))
      return score + (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / averageLength))
    }, 0)
  return documents
    .map(({ name, words }) => ({ name, score: scoreOf(words) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name)
}

describe('twenty tasks in plain words', () => {
  it('name tools that exist, each once', () => {
    const named = TASKS.map(({ tool }) => tool)
    expect(named).toHaveLength(20)
    expect(new Set(named).size).toBe(20)
    expect(named.filter((tool) => !tools.some(({ describes }) => describes.name === tool))).toEqual([])
  })

  it.each(TASKS)('"$task" leads to $tool', ({ task, tool }) => {
    expect(ranked(task).slice(0, OFFERED)).toContain(tool)
  })
})

it('has distinct descriptions of tools', () => {
  const first = tools.map(({ describes }) => describes.description.split('. ')[0])
  expect(new Set(first).size).toBe(first.length)
})
