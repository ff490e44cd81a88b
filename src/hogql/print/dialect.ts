// The interface between the printer and an engine: the SQL in which engines differ. The rest of this folder writes the SQL that they have
// in common.
import type { Cte, Expr, Node, Join, Literal, Query, SetOperation, Source, Window } from '../ir'

/**
 * Where a condition is. As a value it must be 1 or 0. In a filter NULL has the effect of 0, so that most conditions need no more than the
 * comparison, and indexes are used. In the ON of a join, NULL equals nothing.
 */
export type Place = 'value' | 'filter' | 'on'

/** The SQL of a LIMIT and an OFFSET. */
export interface Page {
  limit: string | null
  offset: string | null
}

/** The state of one statement. Its functions print any part of a query. */
export interface Context {
  expr(expr: Expr): string
  condition(expr: Expr, place: Place): string
  /** @param page replaces the query's own LIMIT and OFFSET */
  query(query: Query, page?: Page): string
  /** Writes the name of a window, which stands after OVER. */
  window(window: Window): string
  /** Writes a SELECT. `definitions` returns the SQL of the windows that were named so far, which stands after WINDOW. */
  select(write: (definitions: () => string) => string): string
  /** Writes a source with its name, as in FROM. */
  source(source: Source): string
  parameters: { bind(value: Literal): string }
}

/** Nodes that all engines write in the same way. */
type SharedNode = 'compare' | 'like' | 'in' | 'and' | 'or' | 'not' | 'isNull' | 'negate' | 'exists'

export type Writers<C> = {
  [N in Exclude<Expr['node'], SharedNode>]: (node: Node<N>, context: C) => string
}

export type Recursive = Cte & Required<Pick<Cte, 'steps'>>

export interface Nullability {
  /** Whether one of two operands may be NULL in the engine. */
  either: boolean
  both: boolean
  /** Whether two NULLs are equal: those of types that have NULL are, and one that stands for NaN equals nothing. */
  areEqual: boolean
}

export interface Dialect<C extends Context> {
  /** The engine's name in messages. */
  engine: string
  /** The most characters of a statement. */
  maxText: number
  /** What to do about a query that would have more, in its error. */
  shorter: string
  writers: Writers<C>
  /** Writes the operand of IS NULL. */
  presence(expr: Expr, context: C): string
  /** Writes both sides of a comparison so that they can be compared. */
  operands(node: Node<'compare'>, context: C, place: Place): [string, string]
  /** Whether the engine may have NULL for a value. */
  mayBeNull(expr: Expr): boolean
  /** Writes `=` and `!=`, for which two NULLs are equal except in the ON of a join. */
  equal(a: string, b: string, nulls: Nullability, place: Place): string
  unequal(a: string, b: string, nulls: Nullability): string
  /** Writes whether a text matches a pattern; it is NULL when one of them is. The printer writes the negation around it. */
  like(node: Node<'like'>, context: C): string
  /** Writes the value that IN looks for. It finds NULL among NULLs. */
  needle(left: Expr, choices: Node<'in'>['choices'], context: C): string
  inArray(needle: string, left: Expr, array: Expr, context: C): string
  /** Writes IN of constants as one parameter, or returns null when this list cannot be one. */
  constantList(needle: string, left: Expr, values: readonly Literal[], context: C): string | null
  inList(needle: string, left: Expr, items: readonly Expr[], context: C): string
  inQuery(needle: string, left: Expr, query: Query, context: C): string
  /** Whether IN may give NULL even where its left side is not. */
  inGivesNull: boolean
  /** Converts a condition to what `place` requires. */
  asCondition(sql: string, expr: Expr, place: Place): string
  /** Returns whether GROUP BY and ORDER BY may refer to an item by its number, which is shorter than writing its SQL again. */
  hasPosition(item: string): boolean
  /** Writes an expression of GROUP BY and ORDER BY that no item has. */
  key(sql: string): string
  orderTerm(sql: string, expr: Expr, descending: boolean): string
  /** Writes a SELECT of the project's rows of a table. */
  table(source: Extract<Source, { kind: 'table' }>, context: C): string
  source(source: Extract<Source, { kind: 'stored' | 'elements' | 'numbers' }>, context: C): string
  join(join: Join, first: Source, context: C): string
  /** Writes a recursive CTE as CTEs that fail when it exceeds a limit: `cte<id>`, and its levels. */
  recursion(cte: Recursive, context: C): string
  /** Writes the terms of a set operation from left to right. */
  compound(set: SetOperation, context: C): string
  /** The LIMIT that is written when there is only an OFFSET. */
  noLimit: string
}
