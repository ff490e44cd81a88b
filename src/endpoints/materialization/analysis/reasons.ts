// Every reason for which a query cannot be materialized, by the rule that checks it. The API publishes them as the checks use them.

export type RuleId =
  | 'kind'
  | 'compare'
  | 'cohort-breakdown'
  | 'first-event-breakdown'
  | 'text'
  | 'variable-places'
  | 'variable-metadata'
  | 'variable-columns'
  | 'aggregates'
  | 'writing'
  | 'reading'
  | 'compiling'

/** The texts of reasons, in which `<…>` is replaced. Texts of upstream do not change, because clients match on them. */
export const REASONS = {
  unsupportedKind: ['kind', "Query type '<kind>' cannot be materialized. Supported types: <supported>"],
  compared: ['compare', 'Compare mode is not supported for materialized endpoints.'],
  cohortBreakdown: ['cohort-breakdown', 'Cohort breakdowns are not supported for materialized endpoints.'],
  firstMatchingBreakdown: [
    'first-event-breakdown',
    "A breakdown with math 'first_matching_event_for_user' cannot be materialized: the value that a run chooses decides which event is the first",
  ],
  emptyText: ['text', 'Query is empty or invalid.'],
  placeholderFormat: ['variable-places', 'Invalid variable placeholder format'],
  outsideWhere: ['variable-places', 'Variable not used in WHERE clause'],
  insideHaving: ['variable-places', 'Variable used in HAVING clause is not supported for materialization'],
  insideOr: ['variable-places', 'Variables in OR conditions are not supported for materialization'],
  severalVariables: [
    'variable-places',
    'Variable compared against an expression containing another variable is not supported',
  ],
  insideExpression: [
    'variable-places',
    "Variable '<variable>' is part of an expression: only functions of the variable and constants can stand beside the column",
  ],
  unsupportedOperator: ['variable-places', 'Unsupported operator <operator>, supported: =, >=, >, <, <='],
  noMetadata: ['variable-metadata', 'Variable metadata not found'],
  severalColumns: [
    'variable-columns',
    'Variable compared against multiple columns is not supported for materialization',
  ],
  insideCteAndTop: [
    'variable-columns',
    'Variable used in both CTE and top-level query is not supported for materialization',
  ],
  insideSeveralCtes: [
    'variable-columns',
    'Variable used in multiple CTEs is not supported for materialization',
  ],
  takenName: [
    'variable-columns',
    "Variable '<variable>' conflicts with an existing SELECT alias for a different expression. Rename the variable or the alias.",
  ],
  notReaggregated: [
    'aggregates',
    "Aggregate function '<function>' cannot be re-aggregated for range variable materialization",
  ],
  defaultWhenEmpty: [
    'aggregates',
    "Aggregate function '<function>' gives a default where it has no value, which cannot be re-aggregated: use '<other>'",
  ],
  aggregatingCte: [
    'aggregates',
    'Aggregation in a CTE cannot be re-aggregated for range variable materialization',
  ],
  convertedText: [
    'aggregates',
    "Variable '<variable>' is no text, and equals several texts of its column (<error>): convert the column, as in toFloat(properties.x) = {variables.<variable>}",
  ],
  distinctCte: ['aggregates', 'DISTINCT in a CTE cannot be materialized with a range variable'],
  limitedCte: [
    'writing',
    "Variable '<variable>' is in a CTE with a LIMIT, which is not supported for materialization",
  ],
  totalInUnion: [
    'reading',
    "CTE '<cte>' has a row also where nothing matches, which a UNION ALL of it does not have in stored rows: give it a GROUP BY",
  ],
  windows: ['writing', "Variable '<variable>' cannot be lifted out of a query with a window clause"],
  qualify: ['writing', "Variable '<variable>' cannot be lifted out of a query with QUALIFY"],
  unnamedGroups: ['writing', 'GROUP BY <mode> cannot be materialized with variables'],
  joinedCte: [
    'writing',
    'CTE variables with JOINs in the top-level query are not supported for materialization',
  ],
  scalarSubquery: [
    'writing',
    'Scalar subquery in top-level query references a CTE downstream of a materialized variable',
  ],
  tooManyColumns: [
    'writing',
    'The variables of CTEs need <columns> columns in the CTEs that read theirs: at most <max> are supported',
  ],
  setOperation: [
    'writing',
    "Variable '<variable>' cannot be carried through a set operation: only UNION ALL is supported",
  ],
  recursiveCte: ['writing', "Variable '<variable>' cannot be carried through WITH RECURSIVE"],
  unionLeg: ['writing', "UNION leg cannot carry variable '<variable>': it reads no CTE that has it"],
  onlyNested: [
    'writing',
    "Variable '<variable>' is only read through a nested subquery, which is not supported",
  ],
  nestedSubquery: ['writing', "Variable '<variable>' is read by a nested subquery, which is not supported"],
  joinOfCtes: [
    'writing',
    "<join> between CTEs cannot carry variable '<variable>': only INNER and CROSS JOIN can",
  ],
  takenColumn: [
    'writing',
    "Variable '<variable>' collides with a column of the same name in a CTE that reads it",
  ],
  roundedBound: [
    'reading',
    "Variable '<variable>' is compared by <operator> with a column that is stored by periods: use >= and <, whose bounds can be the start of one",
  ],
  sameNames: ['reading', 'Several columns have the same name: give each an alias of its own'],
  havingColumn: [
    'reading',
    'HAVING looks at <expression>, which is no column of the result that can be re-aggregated',
  ],
  groupColumn: [
    'reading',
    'GROUP BY <expression> is no column of the result, which is needed to put rows together',
  ],
  orderColumn: [
    'reading',
    'ORDER BY <expression> is no column of the result, which is needed to put rows together',
  ],
  notCompiled: ['compiling', 'The query that <purpose> the rows does not compile: <error>'],
} as const satisfies Record<string, readonly [rule: RuleId, text: string]>

export type ReasonId = keyof typeof REASONS

/** The reason why a query cannot be materialized, for its author. */
export class Rejection extends Error {
  override readonly name = 'Rejection'
}

/** @throws Rejection with the text of a reason, in which `values` replace `<…>` */
export function reject(id: ReasonId, values: Readonly<Record<string, string>> = {}): never {
  throw new Rejection(REASONS[id][1].replaceAll(/<(\w+)>/g, (_, name: string) => values[name]!))
}

export const reasonsOf = (rule: RuleId): string[] =>
  Object.values(REASONS).flatMap(([own, text]) => (own === rule ? [text] : []))
