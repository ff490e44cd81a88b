// Reads tokens one after the other, and knows which words can be names.
import { HogqlError, type Span } from '../error'
import type { Expression, Selection } from './ast'
import { type Token, tokensIn } from './lexer'

/** Words of HogQL's grammar. Most of them can be names nevertheless. */
const KEYWORDS = new Set(
  'ALL AND ANTI ANY ARRAY AS ASC ASCENDING ASOF BETWEEN BOTH BY CASE CAST CATCH COHORT COLLATE COLUMNS CROSS CUBE CURRENT DATE DAY DESC DESCENDING DISTINCT ELSE END EXCEPT EXCLUDE EXTRACT FILL FILTER FINAL FINALLY FIRST FN FOLLOWING FOR FROM FULL FUN GROUP GROUPING HAVING HOUR ID IF IGNORE ILIKE IN INCLUDE INF INFINITY INNER INTERPOLATE INTERSECT INTERVAL IS JOIN KEY LAMBDA LAST LEADING LEFT LET LIKE LIMIT LOCAL MATERIALIZED MINUTE MONTH NAME NAN NATURAL NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION PIVOT POSITIONAL PRECEDING PREWHERE QUALIFY QUARTER RANGE RECURSIVE REPLACE RETURN RIGHT ROLLUP ROW ROWS SAMPLE SECOND SELECT SEMI SETS SETTINGS STEP SUBSTRING THEN THROW TIES TIME TIMESTAMP TO TOP TOTALS TRAILING TRIM TRUNCATE TRY TRY_CAST UNBOUNDED UNION UNPIVOT USING VALUES WEEK WHEN WHERE WHILE WINDOW WITH WITHIN YEAR YYYY ZONE'.split(
    ' ',
  ),
)

/** Words that are never names. */
const RESERVED = new Set(
  'CATCH EXCEPT FINALLY FN FUN INF INFINITY INTERSECT LET MATERIALIZED NAN NULL THROW TRY WHILE WITHIN'.split(
    ' ',
  ),
)

/** Words that follow an expression, so that none begins with them. */
const AFTER_EXPRESSIONS = new Set(
  'AND AS ASC ASCENDING BETWEEN CATCH DESC DESCENDING ELSE END EXCEPT FINALLY FN FROM FULL FUN GROUP HAVING ILIKE IN INTERSECT IS JOIN LET LIKE LIMIT MATERIALIZED OFFSET ON OR ORDER PREWHERE QUALIFY SETTINGS THEN THROW TRY UNION USING WHEN WHERE WHILE WINDOW WITHIN'.split(
    ' ',
  ),
)

const BEFORE_EXPRESSIONS = new Set(['(', '[', '{', '-', '+', '*', '.', '#', "f'"])

const SET_OPERATORS = new Set(['UNION', 'EXCEPT', 'INTERSECT'])

/** Words that follow a list of expressions. */
const CLAUSES = new Set(
  'EXCEPT FROM GROUP HAVING INTERSECT LIMIT OFFSET ORDER PREWHERE QUALIFY SETTINGS UNION WHERE WINDOW'.split(
    ' ',
  ),
)
const CLOSING = new Set([')', ']', '}'])

/** Maximum nesting of brackets, CASEs and lambdas. */
const MAX_NESTING = 60

/** Nodes of a tree. */
const MAX_NODES = 20_000

export class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #nodes = 0
  #nesting = 0
  /** Tokens before this one begin no lambda with names that are separated by commas. */
  #lambdasFrom = 0
  /** Places where `attempt` has failed. */
  readonly #failed = new Set<number>()

  /**
   * @param rules of the grammar, which refer to each other
   * @throws HogqlError `syntax_error` as `tokensIn` does
   */
  constructor(
    readonly sql: string,
    readonly rules: {
      expression(reader: Reader, minimum: number): Expression
      selection(reader: Reader): Selection
      /** Parses the set operations after a query, or a placeholder for one, that was read already. */
      setOf(reader: Reader, first: Selection | Expression, start: number): Selection
    },
  ) {
    this.#tokens = tokensIn(sql)
  }

  get token(): Token {
    return this.#tokens[this.#at]!
  }

  /** The token after the current one, or that many after it. */
  after(count = 1): Token {
    return this.#tokens[Math.min(this.#at + count, this.#tokens.length - 1)]!
  }

  /** Where the last token that was read ends. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0
  }

  /** Whether the next words and signs are these. */
  is(...words: string[]): boolean {
    return words.every((word, ahead) => this.after(ahead).word === word)
  }

  isOneOf(words: ReadonlySet<string>): boolean {
    return words.has(this.token.word)
  }

  next(): Token {
    const { token } = this
    if (token.kind !== 'end') this.#at += 1
    return token
  }

  /** Reads these words and signs, if they come next. */
  take(...words: string[]): boolean {
    if (!this.is(...words)) return false
    this.#at += words.length
    return true
  }

  /** @throws HogqlError when something else comes next */
  expect(...words: string[]): void {
    if (!this.take(...words)) this.fail(words.find((word, ahead) => this.after(ahead).word !== word))
  }

  isName({ kind, word } = this.token): boolean {
    return kind === 'quoted' || (kind === 'word' && !RESERVED.has(word))
  }

  /** Whether it is a name that is no word of the grammar, or one of those that are given. */
  isPlainName(besides: ReadonlySet<string>): boolean {
    const { kind, word } = this.token
    return kind === 'quoted' || (kind === 'word' && (!KEYWORDS.has(word) || besides.has(word)))
  }

  /** @throws HogqlError when no name comes next */
  name(): string {
    if (!this.isName()) this.fail()
    return this.next().value
  }

  /** Whether an expression can begin with a token. */
  beginsExpression({ kind, word } = this.token): boolean {
    if (kind === 'end' || kind === 'text') return false
    if (kind === 'sign') return BEFORE_EXPRESSIONS.has(word)
    return kind !== 'word' || !AFTER_EXPRESSIONS.has(word)
  }

  /** Whether a query begins here: `select` may be a column, too. */
  beginsQuery(): boolean {
    if (this.is('SELECT')) return this.beginsExpression(this.after())
    return this.is('WITH') && (this.isName(this.after()) || this.beginsExpression(this.after()))
  }

  /** Whether names, separated by commas, and an arrow come next. */
  beginsLambda(): boolean {
    if (this.#at < this.#lambdasFrom || !this.isName()) return false
    let ahead = 1
    while (this.after(ahead).word === ',' && this.isName(this.after(ahead + 1))) ahead += 2
    if (this.after(ahead).word === ',') ahead += 1
    if (this.after(ahead).word === '->') return true
    this.#lambdasFrom = this.#at + ahead
    return false
  }

  expression(minimum = 0): Expression {
    return this.nested(() => this.rules.expression(this, minimum))
  }

  selection(): Selection {
    return this.nested(() => this.rules.selection(this))
  }

  /** @throws HogqlError `query_too_large` beyond MAX_NESTING */
  nested<Result>(work: () => Result): Result {
    if (++this.#nesting > MAX_NESTING) {
      throw tooLarge(`A query may nest at most ${MAX_NESTING} levels deep.`, this.token)
    }
    const result = work()
    this.#nesting -= 1
    return result
  }

  isSetOperator(): boolean {
    return this.isOneOf(SET_OPERATORS)
  }

  /** Names in parentheses. */
  names(): string[] {
    this.expect('(')
    const found = [this.name()]
    while (this.take(',')) found.push(this.name())
    this.expect(')')
    return found
  }

  /** Expressions with commas between them, of which the last may be followed by one, too. */
  list(): Expression[] {
    const items = [this.expression()]
    while (this.is(',') && !this.endsList()) {
      this.next()
      items.push(this.expression())
    }
    this.take(',')
    return items
  }

  /** Whether the comma that comes next is the last of a list. The word of a clause is a column, if the list continues behind it. */
  endsList(): boolean {
    const [next, second] = [this.after(), this.after(2)]
    if (!CLAUSES.has(next.word)) return next.kind === 'end' || CLOSING.has(next.word)
    const goesOn = second.kind === 'end' || (second.kind === 'sign' && !BEFORE_EXPRESSIONS.has(second.word))
    return !(this.isName(next) && (goesOn || second.word === '.'))
  }

  /**
   * Tries what may begin at a place. When it throws a syntax error, nothing was read, and it is not tried there again: trying forms in each
   * other would take exponential time.
   */
  attempt<Result>(start: number, work: () => Result): Result | null {
    if (this.#failed.has(start)) return null
    const [at, nesting, nodes] = [this.#at, this.#nesting, this.#nodes]
    try {
      return work()
    } catch (error) {
      if (!(error instanceof HogqlError) || error.code !== 'syntax_error') throw error
      this.#failed.add(start)
      this.#at = at
      this.#nesting = nesting
      this.#nodes = nodes
      return null
    }
  }

  /** A node from a place to the last token that was read. */
  node<Kind extends string, Fields extends object>(
    kind: Kind,
    start: number,
    fields: Fields,
  ): Fields & { node: Kind; start: number; end: number } {
    if (++this.#nodes > MAX_NODES)
      throw tooLarge(`A query may consist of at most ${MAX_NODES} parts.`, this.token)
    return { node: kind, start, end: this.end, ...fields }
  }

  /** @param missing what has to be here */
  fail(missing?: string): never {
    const { kind, start, end } = this.token
    if (kind === 'end') {
      throw new HogqlError(
        'Syntax error: the query ends where more is expected.',
        { start, end },
        'syntax_error',
      )
    }
    const word = this.sql.slice(start, Math.min(end, start + 40))
    const expected = missing !== undefined && /^[)\]}]$/.test(missing) ? `: '${missing}' is missing` : ''
    throw new HogqlError(`Syntax error at '${word}'${expected}.`, { start, end }, 'syntax_error')
  }
}

export const tooLarge = (message: string, { start, end }: Span) =>
  new HogqlError(message, { start, end }, 'query_too_large')

export const notSupported = (message: string, { start, end }: Span) => new HogqlError(message, { start, end })
