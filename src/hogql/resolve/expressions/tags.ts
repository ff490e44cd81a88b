// Tags (`<a href={…}>…</a>`) and sparkline(): tuples of names and values, which the reader of the rows shows.
import type { Expr } from '../../ir'
import { text } from '../../ir-build'
import type { Call, Expression, Tag } from '../../parser/ast'
import { tupleOf } from '../../types'
import { reject } from '../../error'
import type { Resolution } from '../context/resolution'
import type { Scope } from '../context/scope'

/** The first item of the tuple of a tag. */
const TAG = '__hx_tag'

const KINDS = new Set(
  'a em strong span div p pre code h1 h2 h3 h4 h5 h6 ul ol li table thead tbody tr th td blockquote hr b i u blink marquee redacted Sparkline'.split(
    ' ',
  ),
)

const tuple = (items: Expr[]): Expr => ({
  node: 'tuple',
  items,
  type: tupleOf(...items.map(({ type }) => type)),
})

export function resolveTag(r: Resolution, { kind, attributes, ...node }: Tag, scope: Scope): Expr {
  if (!KINDS.has(kind))
    reject(node, `The tag <${kind}> is not supported. Use one of: ${[...KINDS].join(', ')}`)
  return tuple([
    text(TAG),
    text(kind),
    ...attributes.flatMap(({ name, value }) => [
      text(name),
      Array.isArray(value) ? tuple(value.map((child) => r.expr(child, scope))) : r.expr(value, scope),
    ]),
  ])
}

/** `sparkline(array)`. */
export function sparkline(r: Resolution, node: Call, args: readonly Expression[], scope: Scope): Expr {
  const [data, ...others] = args
  if (data === undefined || others.length > 0)
    reject(node, "Function 'sparkline' takes 1 argument", 'invalid_query')
  const values = r.expr(data, scope)
  if (values.type.kind !== 'array') reject(data, "Function 'sparkline' takes an array", 'type_mismatch')
  return tuple([text(TAG), text('Sparkline'), text('data'), values])
}
