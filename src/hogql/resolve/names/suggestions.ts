// Warns about names without a definition that are similar to a defined one.
import type { Expr } from '../../ir'
import type { Expression, Located } from '../../parser/ast'
import type { PropertyOwner } from '../../tables/schema'
import type { Resolution } from '../context/resolution'
import { textOf } from '../context/source-text'

/** @param node ends with the name */
export function warnOfProperty(r: Resolution, owner: PropertyOwner, name: string, node: Located): void {
  const meant = r.context.suggestName?.(owner, name)
  if (meant === undefined || !textOf(r, node).endsWith(name)) return
  r.warn(
    { start: node.end! - name.length, end: node.end },
    `There is no property '${name}' yet (did you mean '${meant}'?)`,
    /^[A-Za-z_$][\w$]*$/.test(meant) ? meant : undefined,
  )
}

/** Warns of misspelt names of events in a comparison. */
export function warnOfEvents(r: Resolution, left: Expr, names: readonly Expression[]): void {
  if (left.node !== 'column' || left.column !== 'event') return
  for (const node of names) {
    if (node.node !== 'Constant' || typeof node.value !== 'string') continue
    const meant = r.context.suggestName?.('event_name', node.value)
    if (meant === undefined) continue
    const fix = `'${meant.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    r.warn(node, `There is no event '${node.value}' yet (did you mean '${meant}'?)`, fix)
  }
}
