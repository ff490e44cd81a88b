// An insight on its way to being stored: it is written as HogQL, and compiled like any other text.
import { prepareText } from './compile-text'
import { COMPILER_VERSION } from './compiled-version'
import type { Draft } from './query-draft'
import type { Insight } from './insights/shape'
import type { InsightQuery } from './query/shape'

/**
 * Writes an insight as HogQL. Its rows are no columns of the caller's: they become the insight's own result.
 * @param sentAt when it came; null for one that is stored already, which is taken as it is.
 * @throws 400, attr `query`, for what cannot be run.
 */
export async function draftInsight(
  query: InsightQuery,
  timezone: string,
  sentAt: Date | null,
): Promise<Draft> {
  const [{ insightText, requireAnswerable }, { requireExpressions }] = await Promise.all([
    import('./insights'),
    import('./insights/expressions'),
  ])
  await requireExpressions(query as Insight)
  const { sql, variables, fragments } = insightText(query)
  if (sentAt) requireAnswerable(query, { timezone, now: sentAt })
  const text = await prepareText({ sql, timezone, fragments })
  return {
    needs: { variables: { ids: [], codeNames: [] }, properties: text.properties, cohorts: text.cohorts },
    finish({ types, cohorts }) {
      const world = { variables, types, cohorts }
      const { columns: _rows, kept: _kept, ...compiled } = text.compile(world)
      return {
        world,
        query,
        columns: [],
        compiled: { compiler: COMPILER_VERSION, timezone, variables: [], ...compiled },
      }
    },
  }
}
