// The colours of code samples: what is hostile about a sample takes no more than linear time.
import { describe, expect, it } from 'vitest'
import { highlight } from '../../../src/console/design/code/highlight'
import { expectLinear } from '../../hostile/growth-ratio'

describe('the colours of a sample', () => {
  it('are those of comments, texts and keywords', () => {
    const parts = highlight("const a = 'text' // why\n") as {
      props?: { className?: string; children?: unknown }
    }[]
    const spans = parts.flatMap(({ props }) => {
      const [, span] = (props?.children ?? []) as { props?: { className: string; children: string } }[]
      return span?.props ? [[span.props.className, span.props.children]] : []
    })
    expect(spans).toEqual([
      ['code-keyword', 'const'],
      ['code-string', "'text'"],
      ['code-comment', '// why'],
    ])
  })

  it.each([["\\'"], ['"\\"'], ['`'], ["'"], ['/'], ['# '], ['a'], ['const'], ['.const']])(
    'take linear time for many of %s',
    (piece) => expectLinear((size) => piece.repeat(size), highlight, 5_000),
  )
})
