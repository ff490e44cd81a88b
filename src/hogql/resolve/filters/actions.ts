// Actions as conditions on events.
import type { ActionStep } from './action-steps'
import { selectorPattern } from './selectors'
import { HogqlError, reject, resolvePart } from '../../error'
import type { Expr } from '../../ir'
import { all, any, text, TRUE } from '../../ir-build'
import type { Located } from '../../parser/ast'
import { filtersIn, type ParsedTree, parseFilterTree, type PropertyFilter } from '../context/filters'
import type { Resolution } from '../context/resolution'
import { idIn } from '../references'
import { didYouMean } from '../../suggest'
import { compare, like } from '../expressions/comparisons'
import { isMatch } from '../expressions/patterns'
import { elementsCondition, filterCondition } from './property-filters'

/** The columns of events that a condition reads. */
export interface ActionColumns {
  column(name: string, ...path: string[]): Expr
  /** Returns the condition of property filters. */
  tree(tree: ParsedTree): Expr
}

/** Returns the condition that an event matches any of the steps. Without steps, every event does. */
export function actionCondition(
  r: Resolution,
  node: Located,
  steps: readonly ActionStep[],
  events: ActionColumns,
): Expr {
  const [first, ...rest] = steps.map((step, index) =>
    resolvePart(node, `Step ${index + 1}`, () => stepCondition(r, node, step, events)),
  )
  return first === undefined ? TRUE : any([first, ...rest])
}

const AUTOCAPTURE = '$autocapture'

const OPERATORS = { contains: 'icontains', exact: 'exact', regex: 'regex' } as const

function stepCondition(r: Resolution, node: Located, step: ActionStep, events: ActionColumns): Expr {
  const conditions: Expr[] = []
  if (step.event) conditions.push(compare(r, '=', events.column('event'), text(step.event), node))
  if (step.event === AUTOCAPTURE) conditions.push(...elementConditions(r, node, step, events))
  if (step.url) conditions.push(urlCondition(r, node, step.url, step.url_matching, events))
  if (step.properties?.length) {
    const tree =
      parseFilterTree(step.properties) ?? reject(node, 'The filters are malformed', 'invalid_query')
    if (filtersIn(tree).some(({ type }) => type === 'hogql' || type === 'action'))
      reject(node, "Filters may not have the types 'hogql' and 'action' here", 'invalid_query')
    conditions.push(events.tree(tree))
  }
  return all(conditions)
}

/**
 * Returns the condition on the URL, which contains a text unless another way to match is named. Its case counts, unlike that of other
 * texts.
 */
function urlCondition(
  r: Resolution,
  node: Located,
  url: string,
  matching: ActionStep['url_matching'],
  events: ActionColumns,
): Expr {
  const value = events.column('properties', '$current_url')
  return matching === 'exact' || matching === 'regex'
    ? filterCondition(r, node, filterOf('url', matching, url), value)
    : like(r, 'like', value, text(`%${url}%`), node)
}

function elementConditions(
  r: Resolution,
  node: Located,
  { selector, tag_name: tag, href, href_matching, text: label, text_matching }: ActionStep,
  events: ActionColumns,
): Expr[] {
  const conditions: Expr[] = []
  if (selector) conditions.push(selectorCondition(r, node, selector, events.column('elements_chain')))
  if (tag) conditions.push(selectorCondition(r, node, tag, events.column('elements_chain')))
  if (href) {
    const filter = filterOf('href', href_matching ?? 'exact', href)
    conditions.push(filterCondition(r, node, filter, events.column('elements_chain_href')))
  }
  if (label) {
    const filter = filterOf('text', text_matching ?? 'exact', label)
    conditions.push(elementsCondition(r, node, filter, events.column('elements_chain_texts')))
  }
  return conditions
}

const filterOf = (key: string, matching: keyof typeof OPERATORS, value: string): PropertyFilter => ({
  key,
  operator: OPERATORS[matching],
  value,
})

/** Returns the condition that a selector matches an element of a chain. */
export function selectorCondition(r: Resolution, node: Located, selector: string, chain: Expr): Expr {
  try {
    const pattern = selectorPattern(selector)
    return isMatch(r, chain, text(pattern), node)
  } catch (error) {
    if (error instanceof HogqlError && error.start === null) reject(node, error.message, 'invalid_query')
    throw error
  }
}

/** Returns the steps of an action of the project, by its id or name. */
export function findAction(r: Resolution, reference: unknown, node: Located): readonly ActionStep[] {
  if (typeof reference !== 'string' && idIn(reference) === undefined)
    reject(node, 'An action is named by its id, a whole number, or by its name', 'invalid_query')
  const known = r.context.findAction?.(reference as string | number)
  if (known) return known
  const meant = typeof reference === 'string' ? didYouMean(reference, r.context.actionNames ?? []) : ''
  return reject(node, `Action ${JSON.stringify(reference)} does not exist${meant}`, 'invalid_query')
}
