import { beforeAll, describe, expect, it } from 'vitest'
import { EvaluationBudget } from '../../../src/evaluation/budget'
import { createRegexCache } from '../../../src/evaluation/regex/regex-cache'
import { loadEngines } from '../support'

beforeAll(loadEngines)

describe('bounds of words', () => {
  it.each([
    ['\\bfoo\\b', 'a foo b', true],
    ['\\bfoo\\b', 'éfoo', false],
    ['\\bfoo\\b', 'é foo ü', true],
    ['\\bélan\\b', 'un élan', true],
    ['\\bélan\\b', 'élans', false],
    ['é\\b', 'café au lait', true],
    ['\\Bé', 'café', true],
    ['\\b日本\\b', '日本 語', true],
    ['\\\\b', 'é\\b', true],
  ])('are those of Unicode: %s in %j: %s', (pattern, text, expected) => {
    const cache = createRegexCache()
    for (const _ of ['compiled', 'cached'])
      expect(cache.search(pattern, text, new EvaluationBudget())).toBe(expected)
    // Another text does not change what was decided for this one.
    cache.search(pattern, 'plain', new EvaluationBudget())
    expect(cache.search(pattern, text, new EvaluationBudget())).toBe(expected)
  })
})
