// The colours of code samples: what is hostile about a sample takes no more than linear time.
import { describe, expect, it } from 'vitest'
import { highlight, sqlTokens } from '../../../src/console/design/code/highlight'
import { CLAUSES } from '../../../src/console/query/editor/completions'
import { expectLinear } from '../../hostile/growth-ratio'

const SQL = sqlTokens(CLAUSES)

/** The class and the text of each token. */
const spansOf = (nodes: unknown) =>
  (nodes as { props?: { children?: unknown } }[]).flatMap(({ props }) => {
    const [, span] = (props?.children ?? []) as { props?: { className: string; children: string } }[]
    return span?.props ? [[span.props.className, span.props.children]] : []
  })

describe('the colours of a sample', () => {
  it('are those of comments, texts and keywords', () => {
    expect(spansOf(highlight("const a = 'text' // why\n"))).toEqual([
      ['code-keyword', 'const'],
      ['code-string', "'text'"],
      ['code-comment', '// why'],
    ])
  })

  it('are those of SQL, whose keywords have any case', () => {
    expect(spansOf(highlight("SELECT fromage from events -- 'why'\nWHERE a = 'AND'", SQL))).toEqual([
      ['code-keyword', 'SELECT'],
      ['code-keyword', 'from'],
      ['code-comment', "-- 'why'"],
      ['code-keyword', 'WHERE'],
      ['code-string', "'AND'"],
    ])
  })

  const QUOTES = ["\\'", '"\\"', '`', "'"]
  const OTHERS = ['/', '# ', '-', 'a', 'const', '.const', '.select']

  // Both patterns take texts alike, which are what takes long.
  it.each([
    ...[...QUOTES, ...OTHERS].map((piece) => ({ piece, name: 'samples', tokens: undefined })),
    ...OTHERS.map((piece) => ({ piece, name: 'SQL', tokens: SQL })),
  ])('take linear time for many of $piece, as those of $name', ({ piece, tokens }) => {
    expectLinear(
      (size) => piece.repeat(size),
      (code) => highlight(code, tokens),
      2_000,
    )
  })
})
