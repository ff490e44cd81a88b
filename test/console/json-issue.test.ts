// Why a text is not JSON.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonIssueOf, jsonIssueWords } from '../../src/console/design/code/json-issue'

it.each([
  ['', 'Line 1, column 1: A value is missing.'],
  ['{', 'Line 1, column 2: A name in double quotes is missing.'],
  ['{"a": 1', 'Line 1, column 8: A comma or } is missing.'],
  ['{"a": 1,}', 'Line 1, column 9: There is a comma before }.'],
  ['{"a": }', 'Line 1, column 7: A value is missing before }.'],
  ['{"a" 1}', 'Line 1, column 6: A colon is missing after the name.'],
  ['{a: 1}', 'Line 1, column 2: A name in double quotes is missing.'],
  ['{\n  "a": \'x\'\n}', 'Line 2, column 8: Texts are in double quotes.'],
  ['{"a": "x\n}', 'Line 1, column 7: This text has no closing quote.'],
  ['"x', 'Line 1, column 1: This text has no closing quote.'],
  ['"C:\\temp\\new"', null],
  ['"C:\\data"', 'Line 1, column 4: There is no such escape: write a backslash as \\\\.'],
  ['"a\tb"', 'Line 1, column 3: This character has to be written as an escape.'],
  ['[1 2]', 'Line 1, column 4: A comma or ] is missing.'],
  ['[1, ]', 'Line 1, column 5: A value is missing before ].'],
  ['[True]', 'Line 1, column 2: This is no value: texts are in double quotes.'],
  ['[01]', 'Line 1, column 2: This is no value: texts are in double quotes.'],
  ['1 2', 'Line 1, column 3: Nothing may follow the value.'],
  ['{"a": [{}, [], "\\u00e9", -1.5e3, null]}', null],
])('%j: %s', (text, words) => {
  expect(jsonIssueWords(text)).toBe(words)
})

it('finds a place in every text that is not JSON', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '1',
    '-',
    'true',
    ' ',
    '\n',
    '\\',
    "'",
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('')
      const issue = jsonIssueOf(text)
      if (issue) expect(issue.at).toBeLessThanOrEqual(text.length)
      else JSON.parse(text)
    }),
  )
})
