// Rejects a SELECT that exchanges names of columns: `SELECT a AS b, b AS a`. In standard SQL, both items read columns; here and upstream, the
// second one reads the alias above it, and ClickHouse itself returns either, depending on how columns are written.
import { reject } from '../../error'
import type { Expression } from '../../parser/ast'
import { walk } from '../../parser/walk'
import type { NamedSource } from '../context/scope'
import { namesOf } from './columns'

/** @returns a function that checks an item after those before it */
export function exchangeCheck(sources: readonly NamedSource[]): (item: Expression) => void {
  const columns = new Set(sources.flatMap(namesOf))
  /** The columns that each alias reads, also through others. */
  const readsOf = new Map<string, ReadonlySet<string>>()
  return (item) => {
    if (item.node !== 'Alias') return
    const reads = new Set<string>()
    walk(item.expr, (node) => {
      if (node.node === 'SelectQuery' || node.node === 'SelectSetQuery') return false
      if (node.node !== 'Field' || node.chain.length > 1) return true
      const name = String(node.chain[0])
      const read = readsOf.get(name)
      if (read && name !== item.alias && columns.has(name) && read.has(item.alias)) {
        reject(
          node,
          `'${name}' is a column and an alias above: write the column with its table, such as t.${name}, or choose another alias`,
          'invalid_query',
        )
      }
      for (const each of read ?? (columns.has(name) ? [name] : [])) reads.add(each)
      return true
    })
    readsOf.set(item.alias, reads)
  }
}
