// Texts of the preview.
import type { SelectQuery } from '../../../hogql/parser/ast'
import { nameText } from '../../../hogql/parser/write-expression'
import { expressionText, queryText } from '../../../hogql/parser/write-query'
import type { SourceQuery } from '../../query/query-types'
import type { PreviewResult } from '../preview-schema'
import { mergeOf } from './reaggregation'
import { ROW_ORDER } from './read-tree'
import type { Candidate } from './rules'
import { codeNameOf, NOWHERE, replaced } from './tree'

export type Preview = Omit<PreviewResult, 'can_materialize' | 'reason' | 'cost'>

export const NO_PREVIEW: Preview = {
  transformed_query: null,
  execution_query: null,
  display_execution_query: null,
  range_pairs: [],
  aggregates: [],
}

/** @param name of the endpoint */
export function previewOf({ query, variables, write, read, tree, table }: Candidate, name: string): Preview {
  const reading = read && queryText(withQuotedVariables(shownReading(read.tree)))
  const ranges = variables.filter(({ bucket }) => bucket !== null)
  return {
    transformed_query: write && (variables.length > 0 ? queryText(write) : textOf(query)),
    execution_query: reading,
    display_execution_query: reading && reading.replace(`FROM ${nameText(table)}`, `FROM ${nameText(name)}`),
    range_pairs: [...Map.groupBy(ranges, ({ columnKey }) => columnKey!)].map(([column, same]) => ({
      column,
      variables: same.map(({ codeName }) => codeName),
      bucket_fn: same[0]!.bucket!,
    })),
    aggregates:
      variables.length > 0 && tree?.node === 'SelectQuery'
        ? tree.select.flatMap((item) => {
            const merge = mergeOf(item)
            if (merge === null) return []
            return [
              {
                expression: item.node === 'Alias' ? item.alias : expressionText(item),
                reaggregate_fn: merge ?? null,
              },
            ]
          })
        : [],
  }
}

/** The reading query without the internal order column. */
const shownReading = (tree: SelectQuery): SelectQuery => {
  const [order] = tree.order_by ?? []
  const isKept = order?.expr.node === 'Field' && order.expr.chain[0] === ROW_ORDER
  return isKept ? { ...tree, order_by: null } : tree
}

const textOf = (query: SourceQuery): string | null => (query.kind === 'HogQLQuery' ? query.query : null)

/** Writes variables as texts: `'{variables.code_name}'`. */
const withQuotedVariables = (tree: SelectQuery): SelectQuery =>
  replaced(tree, (node) => {
    const name = node.node === 'Placeholder' ? codeNameOf(node) : null
    return name === null ? undefined : { ...NOWHERE, node: 'Constant', value: `{variables.${name}}` }
  })
