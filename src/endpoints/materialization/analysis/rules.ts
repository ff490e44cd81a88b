// What a query has to be so that it can be materialized: the list that the checks run through, and that callers are shown.
import type { Selection, SelectQuery } from '../../../hogql/parser/ast'
import { type EndpointQuery, INSIGHT_KINDS } from '../../query/query-types'
import { comparisonsOf, scopesOf } from './comparisons'
import { liftedFrom } from './lift-variables'
import { requireMergeable } from './reaggregation'
import { type Reading, readTree } from './read-tree'
import {
  type BucketOverrides,
  BUCKETS,
  type Comparison,
  type Lifted,
  Refusal,
  refuse,
} from './analysis-types'
import { aggregates, codeNameOf, variablesIn } from './tree'
import { writeTree } from './write-tree'

/** A query on its way through the checks; each may add what it found out for those after it. */
export interface Subject {
  query: EndpointQuery
  overrides: BucketOverrides
  /** The parsed text of a HogQLQuery. */
  tree: Selection | null
  /** Names of the result's columns; those of an insight are not looked at. */
  columns: readonly string[]
  /** What the kept rows are called where they are read. */
  table: string
  comparisons: Comparison[]
  variables: Lifted[]
  merges: boolean
  write: Selection | null
  read: Reading | null
}

export interface Rule {
  id: string
  /** What is asked of a query, in a sentence. */
  requires: string
  /** Whether what it refuses is told as a reason why the variables cannot be lifted. */
  isAboutVariables?: true
  /** @throws Refusal */
  check(subject: Subject): void
}

const SUPPORTED = ['HogQLQuery', 'TrendsQuery', 'LifecycleQuery', 'RetentionQuery']

/** Comparisons whose variable may be that of several kept rows. */
const matchesSeveral = ({ comparisons, bucket }: Lifted): boolean =>
  bucket !== null || comparisons.some(({ operator }) => operator !== '==')

export const RULES: readonly Rule[] = [
  {
    id: 'kind',
    requires: `The kind of the query is one of ${SUPPORTED.join(', ')}.`,
    check({ query: { kind } }) {
      if (!SUPPORTED.includes(kind)) {
        refuse(`Query type '${kind}' cannot be materialized. Supported types: ${SUPPORTED.join(', ')}`)
      }
    },
  },
  {
    id: 'compare',
    requires: 'An insight is not compared with an earlier period.',
    check({ query }) {
      if ((query.compareFilter as { compare?: unknown } | null | undefined)?.compare === true) {
        refuse('Compare mode is not supported for materialized endpoints.')
      }
    },
  },
  {
    id: 'cohort-breakdown',
    requires: 'An insight is not broken down by cohorts.',
    check({ query }) {
      const filter = query.breakdownFilter as {
        breakdown_type?: unknown
        breakdowns?: { type?: unknown }[] | null
      } | null
      if (filter?.breakdown_type === 'cohort' || filter?.breakdowns?.some(({ type }) => type === 'cohort')) {
        refuse('Cohort breakdowns are not supported for materialized endpoints.')
      }
    },
  },
  {
    id: 'text',
    requires: 'A HogQLQuery has a text that parses.',
    check({ query, tree }) {
      const isInsight = (INSIGHT_KINDS as readonly string[]).includes(query.kind)
      if (!isInsight && (typeof query.query !== 'string' || query.query.trim() === '' || !tree)) {
        refuse('Query is empty or invalid.')
      }
    },
  },
  {
    id: 'variable-places',
    requires:
      'Each {variables.x} stands in a comparison with a column, in the WHERE of the query or of one of its CTEs, joined to the rest by AND: not in SELECT, HAVING, JOIN, PREWHERE, under OR or NOT, in a subquery, or in a UNION at the top.',
    isAboutVariables: true,
    check(subject) {
      if (!subject.tree) return
      for (const placeholder of variablesIn(subject.tree)) {
        if (codeNameOf(placeholder) === null) refuse('Invalid variable placeholder format')
      }
      subject.comparisons = comparisonsOf(subject.tree)
    },
  },
  {
    id: 'variable-metadata',
    requires: 'Each of them has an entry in the variables of the query.',
    isAboutVariables: true,
    check({ query, comparisons }) {
      const known = new Set(
        Object.values((query.variables ?? {}) as Record<string, { code_name: string }>).map(
          ({ code_name }) => code_name,
        ),
      )
      if (comparisons.some(({ codeName }) => !known.has(codeName))) refuse('Variable metadata not found')
    },
  },
  {
    id: 'variable-columns',
    requires:
      'A variable is compared with one column only, in one place only, and its name is that of no other column or alias there.',
    isAboutVariables: true,
    check(subject) {
      if (subject.tree) subject.variables = liftedFrom(subject.tree, subject.comparisons, subject.overrides)
    },
  },
  {
    id: 'aggregates',
    requires:
      'Where a variable is compared by anything but =, the result columns that aggregate are count, sum, min or max alone: only these can be put together again from what is kept. A CTE with such a variable does not aggregate.',
    isAboutVariables: true,
    check(subject) {
      const { tree, variables } = subject
      const several = variables.filter(matchesSeveral)
      if (several.length === 0 || tree?.node !== 'SelectQuery') return
      subject.merges = aggregates(tree)
      if (subject.merges) requireMergeable(tree)
      if (several.some(({ scope }) => scope !== null)) requireRowsThrough(tree)
    },
  },
  {
    id: 'writing',
    requires:
      'The column of a variable can be added to its SELECT, and to every CTE that reads it, without changing what they mean: no window functions, QUALIFY or LIMIT there, only INNER and CROSS JOIN and UNION ALL between CTEs that carry it, no JOIN in a top-level query that reads them, no reading of them in subqueries.',
    isAboutVariables: true,
    check(subject) {
      if (subject.tree) subject.write = writeTree(subject.tree, subject.variables, subject.merges)
    },
  },
  {
    id: 'reading',
    requires:
      'Every column of the result has a name of its own, and where rows are put together, ORDER BY and HAVING look at columns of the result.',
    check(subject) {
      const { tree, variables, table, columns, merges } = subject
      if (tree) subject.read = readTree(tree, variables, { table, columns, merges })
    },
  },
]

/** A variable that is no equality passes through CTEs that give rows as they are. */
function requireRowsThrough(tree: SelectQuery): void {
  for (const [scope, query] of scopesOf(tree)) {
    if (scope === null) continue
    if (aggregates(query)) refuseAggregation(query)
    if (query.distinct) refuse('DISTINCT in a CTE cannot be materialized with a range variable')
  }
}

/** By the first aggregate that could not be put together in any case, or by that it aggregates at all. */
function refuseAggregation(query: SelectQuery): never {
  requireMergeable(query)
  return refuse('Aggregation in a CTE cannot be re-aggregated for range variable materialization')
}

/** What became of a query in the checks. */
export type Checked = { reason: string } | { reason: null; subject: Subject }

/** Runs a query through all rules, up to the first that refuses it. */
export function check(given: Pick<Subject, 'query' | 'overrides' | 'tree' | 'columns' | 'table'>): Checked {
  const subject: Subject = {
    ...given,
    comparisons: [],
    variables: [],
    merges: false,
    write: null,
    read: null,
  }
  for (const rule of RULES) {
    try {
      rule.check(subject)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { reason: rule.isAboutVariables ? `Variables not supported: ${error.message}` : error.message }
    }
  }
  return { reason: null, subject }
}

/** The rules as they are shown (reference/endpoints-api.md §5.9): what the checks run through, in its order. */
export const conditionsSource = (): string =>
  [
    'A query can be materialized when all of these hold, in this order:',
    ...RULES.map(({ id, requires }, index) => `${index + 1}. [${id}] ${requires}`),
    '',
    `Comparisons that variables may stand in: =, >=, >, <, <=, LIKE, ILIKE, NOT LIKE, NOT ILIKE.`,
    `Bounds of a range on a column of moments are rounded down to days (${BUCKETS.day}), or as bucket_overrides says by column: ${Object.entries(
      BUCKETS,
    )
      .map(([name, fn]) => `${name} (${fn})`)
      .join(', ')}.`,
    'Kept values are put together so: count → sum, sum → sum, min → min, max → max.',
  ].join('\n')

export const REWRITE_CONTRACT = [
  '1. Whatever values the variables have, the new query returns the same rows, with the same columns, by name, type and order, as the old one.',
  '2. Every {variables.<code_name>} of the old query stands in the new one, under the same code_name and with the same meaning: callers send values by it.',
  '3. No variable is added, removed or renamed.',
  '4. Everything else may change as long as 1 holds: conditions may be rewritten, predicates moved, CTEs split, merged or written in place of subqueries.',
  '5. Where no such query passes the checks, none is forced: the old one stays as it is.',
].join('\n')
