// The conditions for materializing a query: the checks, and the text shown to callers.
import type { Selection, SelectQuery } from '../../../hogql/parser/ast'
import { isByCohort } from '../../insights/cohort-breakdown'
import type { SourceQuery } from '../../query/query-types'
import { breakdownsIn } from '../../query/written-breakdowns'
import { codeNamesOf } from '../../values/choose-values'
import { type Comparison, comparisonsOf, OPERATORS, PATTERNS } from './comparisons'
import { type BucketOverrides, BUCKETS, type Lifted, liftedFrom } from './lift-variables'
import { MERGES, requireMergeable } from './reaggregation'
import { isTogether, type Reading, readTree } from './read-tree'
import { reasonsOf, Rejection, reject, type RuleId } from './reasons'
import { aggregates, legsOf } from './tree'
import { writeTree } from './write-tree'

/** A query during the checks; each rule may add its findings. */
export interface Candidate {
  query: SourceQuery
  overrides: BucketOverrides
  /** The tree is null for any query but a HogQLQuery. */
  tree: Selection | null
  /** The result's columns. The list is empty for insights. */
  columns: readonly { name: string; nullable: boolean }[]
  /** The name of the table in the reading query. */
  table: string
  /** The variables of which a value equals several stored texts, because they are compared as numbers, booleans or dates. */
  converted: ReadonlySet<string>
  comparisons: Comparison[]
  variables: Lifted[]
  merges: boolean
  write: Selection | null
  read: Reading | null
}

export interface Rule {
  id: RuleId
  /** The condition in a sentence. */
  requires: string
  /** Prefixes the rejection with "Variables not supported". */
  isAboutVariables?: true
  /** @throws Rejection */
  check(candidate: Candidate): void
}

const ABOUT_VARIABLES = 'Variables not supported: '

const SUPPORTED = ['HogQLQuery', 'TrendsQuery', 'LifecycleQuery', 'RetentionQuery']

/** Whether a value of the variable can match several stored values. */
const isRangeOrPattern = ({ comparisons, bucket }: Lifted): boolean =>
  bucket !== null || comparisons.some(({ operator }) => operator !== '==')

export const RULES: readonly Rule[] = [
  {
    id: 'kind',
    requires: `The kind of the query is one of ${SUPPORTED.join(', ')}.`,
    check({ query: { kind } }) {
      if (!SUPPORTED.includes(kind)) {
        reject('unsupportedKind', { kind, supported: SUPPORTED.join(', ') })
      }
    },
  },
  {
    id: 'compare',
    requires: 'An insight is not compared with an earlier period.',
    check({ query }) {
      if (query.kind === 'TrendsQuery' && query.compareFilter?.compare === true) {
        reject('compared')
      }
    },
  },
  {
    id: 'cohort-breakdown',
    requires: 'An insight is not broken down by cohorts.',
    check({ query }) {
      if ('breakdownFilter' in query && isByCohort(query.breakdownFilter)) reject('cohortBreakdown')
    },
  },
  {
    id: 'first-event-breakdown',
    requires: 'A TrendsQuery with a breakdown has no series of first_matching_event_for_user.',
    check({ query }) {
      if (query.kind !== 'TrendsQuery' || breakdownsIn(query).length === 0) return
      if (query.series.some(({ math }) => math === 'first_matching_event_for_user'))
        reject('firstMatchingBreakdown')
    },
  },
  {
    id: 'text',
    requires: 'A HogQLQuery has a text that parses.',
    check({ query, tree }) {
      if (query.kind === 'HogQLQuery' && (query.query.trim() === '' || !tree)) {
        reject('emptyText')
      }
    },
  },
  {
    id: 'variable-places',
    requires:
      'Each {variables.x} stands in a comparison with a column, in the WHERE of the query or of one of its CTEs, joined to the rest by AND: not in SELECT, HAVING, JOIN, PREWHERE, under OR or NOT, in a subquery, or in a UNION at the top.',
    isAboutVariables: true,
    check(candidate) {
      if (candidate.tree) candidate.comparisons = comparisonsOf(candidate.tree)
    },
  },
  {
    id: 'variable-metadata',
    requires: 'Each of them has an entry in the variables of the query.',
    isAboutVariables: true,
    check({ query, comparisons }) {
      const known = codeNamesOf(query.kind === 'HogQLQuery' ? query.variables : null)
      if (comparisons.some(({ codeName }) => !known.has(codeName))) reject('noMetadata')
    },
  },
  {
    id: 'variable-columns',
    requires:
      'A variable is compared with one column only, in one place only, and its name is that of no other column or alias there.',
    isAboutVariables: true,
    check(candidate) {
      if (candidate.tree)
        candidate.variables = liftedFrom(candidate.tree, candidate.comparisons, candidate.overrides)
    },
  },
  {
    id: 'aggregates',
    requires:
      'Where a variable is compared by anything but =, or is no text and its column is one, the result columns that aggregate are count, sum, min or max alone: only these can be aggregated again, and min and max only where they give NULL for no value. A CTE with such a variable does not aggregate.',
    isAboutVariables: true,
    check(candidate) {
      const { tree, variables, columns, converted } = candidate
      const ranges = variables.filter(isRangeOrPattern)
      const several = variables.filter((each) => ranges.includes(each) || converted.has(each.codeName))
      if (several.length === 0 || tree?.node !== 'SelectQuery') return
      candidate.merges = aggregates(tree)
      try {
        if (candidate.merges) {
          requireMergeable(
            tree,
            columns.map(({ nullable }) => nullable),
          )
        }
        if (several.some(({ scope }) => scope !== null)) requireRowsThrough(tree)
      } catch (error) {
        if (ranges.length > 0 || !(error instanceof Rejection)) throw error
        reject('convertedText', { variable: several[0]!.codeName, error: error.message })
      }
    },
  },
  {
    id: 'writing',
    requires:
      'The column of a variable can be added to its SELECT, and to every CTE that reads it, without changing what they mean: no window functions, QUALIFY or LIMIT there, only INNER and CROSS JOIN and UNION ALL between CTEs that carry it, no JOIN in a top-level query that reads them, no reading of them in subqueries.',
    isAboutVariables: true,
    check(candidate) {
      const { tree, variables, merges } = candidate
      if (tree) candidate.write = writeTree(tree, variables, isTogether(tree, variables, merges))
    },
  },
  {
    id: 'reading',
    requires:
      'A bound of a column that is stored by periods is compared by >= or <; every column of the result has a name of its own, and where rows are aggregated again, GROUP BY, ORDER BY and HAVING use columns of the result.',
    check(candidate) {
      const { tree, variables, table, columns, merges } = candidate
      if (tree) {
        const names = columns.map(({ name }) => name)
        candidate.read = readTree(tree, variables, { table, columns: names, merges })
      }
    },
  },
]

/** CTEs must pass the rows of a range variable through unchanged. */
function requireRowsThrough(tree: SelectQuery): void {
  for (const query of (tree.ctes ?? []).flatMap((cte) =>
    cte.cte_type === 'subquery' ? legsOf(cte.expr) : [],
  )) {
    if (aggregates(query)) rejectAggregation(query)
    if (query.distinct) reject('distinctCte')
  }
}

/** Names the first aggregate that cannot be aggregated again, if there is one. */
function rejectAggregation(query: SelectQuery): never {
  requireMergeable(query)
  return reject('aggregatingCte')
}

export type Checked = { reason: string } | { reason: null; candidate: Candidate }

/** Checks the rules in order, and stops at the first rejection. */
export function check(
  given: Pick<Candidate, 'query' | 'overrides' | 'tree' | 'columns' | 'table'> &
    Partial<Pick<Candidate, 'converted'>>,
): Checked {
  const candidate: Candidate = {
    converted: new Set(),
    ...given,
    comparisons: [],
    variables: [],
    merges: false,
    write: null,
    read: null,
  }
  for (const rule of RULES) {
    try {
      rule.check(candidate)
    } catch (error) {
      if (!(error instanceof Rejection)) throw error
      return { reason: rule.isAboutVariables ? `${ABOUT_VARIABLES}${error.message}` : error.message }
    }
  }
  return { reason: null, candidate }
}

/** The last check after the rules: `compileMaterialization` compiles both queries. */
const COMPILING =
  'The query that writes the rows and the one that reads them compile for the engines that run them.'

/** The rules with every reason that they give, derived from the checks themselves. */
export function conditionsSource(): string {
  const rules = [...RULES, { id: 'compiling' as const, requires: COMPILING, isAboutVariables: undefined }]
  return [
    'A query can be materialized when all of these hold. They are checked in this order, and the first that fails is the reason. Below each condition are its reasons; <…> stands for a part of the query.',
    ...rules.flatMap(({ id, requires, isAboutVariables }, index) => [
      `${index + 1}. [${id}] ${requires}`,
      ...reasonsOf(id).map((text) => `   - ${isAboutVariables ? ABOUT_VARIABLES : ''}${text}`),
    ]),
    '',
    `Comparisons that variables may stand in: ${[...OPERATORS.keys(), ...PATTERNS].map(operatorText).join(', ')}.`,
    `Bounds of a range on a datetime column are those of days (${BUCKETS.day}), or as bucket_overrides sets by column: ${listed(BUCKETS, (name, fn) => `${name} (${fn})`)}.`,
    `Stored values are aggregated again by: ${listed(MERGES, (name, merge) => `${name} → ${merge}`)}.`,
  ].join('\n')
}

const operatorText = (operator: string) => (operator === '==' ? '=' : operator.toUpperCase())

const listed = (
  record: Readonly<Record<string, string>>,
  each: (name: string, value: string) => string,
): string =>
  Object.entries(record)
    .map(([name, value]) => each(name, value))
    .join(', ')

export const REWRITE_CONTRACT = [
  '1. Whatever values the variables have, the new query returns the same rows, with the same columns, by name, type and order, as the old one.',
  '2. Every {variables.<code_name>} of the old query stands in the new one, under the same code_name and with the same meaning: callers send values by it.',
  '3. No variable is added, removed or renamed.',
  '4. Everything else may change as long as 1 holds: conditions may be rewritten, predicates moved, CTEs split, merged or written in place of subqueries.',
  '5. Where no such query passes the checks, none is forced: the old one stays as it is.',
].join('\n')
