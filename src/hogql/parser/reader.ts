// Reads tokens one after the other, and decides which words can be names.
import { HogqlError, type Span } from '../error'
import type { Expression, Selection } from './ast'
import { type Token, tokensIn } from './lexer'

/** The words of HogQL's grammar. Most of them can be names nevertheless. */
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

/** Words that follow an expression, so that no expression begins with them. */
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

/** The most nodes of a tree. */
const MAX_NODES = 20_000

/** The most names of a path, such as `properties.a.b`: work on a path may grow with the square of its length. */
const MAX_NAMES = 60

export class Reader {
  readonly #tokens: readonly Token[]
  #at = 0
  #nodes = 0
  #nesting = 0
  /** Before this token, no lambda begins with names that are separated by commas. */
  #lambdasFrom = 0
  /** Places where `attempt` has failed. */
  readonly #failed = new Set<number>()

  /**
   * @param rules the rules of the grammar, which refer to each other
   * @throws HogqlError `syntax_error` as `tokensIn` does
   */
  constructor(
    readonly sql: string,
    readonly rules: {
      expression(reader: Reader, minimum: number): Expression
      selection(reader: Reader): Selection
      /** Parses the set operations after a query, or after a placeholder for one, that was parsed already. */
      setOf(reader: Reader, first: Selection | Expression, start: number): Selection
    },
  ) {
    this.#tokens = tokensIn(sql)
  }

  get token(): Token {
    return this.#tokens[this.#at]!
  }

  /** Returns the token after the current one, or `count` tokens after it; before it, when that is negative. */
  after(count = 1): Token {
    return this.#tokens[Math.max(0, Math.min(this.#at + count, this.#tokens.length - 1))]!
  }

  /** The end of the last token that was read. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.end ?? 0
  }

  /** Returns whether these words and signs come next. */
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

  /** Reads these words and signs if they come next, and returns whether they did. */
  take(...words: string[]): boolean {
    if (!this.is(...words)) return false
    this.#at += words.length
    return true
  }

  /** @throws HogqlError when something else comes next */
  expect(...words: string[]): void {
    if (this.take(...words)) return
    const missing = words.find((word, ahead) => this.after(ahead).word !== word)
    this.fail(CLOSING.has(missing!) ? `'${missing}' is missing` : undefined)
  }

  isName({ kind, word } = this.token): boolean {
    return kind === 'quoted' || (kind === 'word' && !RESERVED.has(word))
  }

  /** Returns whether the token is a name that is no word of the grammar, or one of the words in `besides`. */
  isPlainName(besides: ReadonlySet<string>): boolean {
    const { kind, word } = this.token
    return kind === 'quoted' || (kind === 'word' && (!KEYWORDS.has(word) || besides.has(word)))
  }

  /** @throws HogqlError when no name comes next */
  name(): string {
    if (!this.isName()) this.fail()
    return this.next().value
  }

  /**
   * Reads names with dots between them, after the first one. It stops before a dot that no name follows.
   * @throws HogqlError for more than MAX_NAMES names
   */
  path(): string[] {
    const names = [this.name()]
    while (this.is('.') && this.isName(this.after())) {
      if (names.length === MAX_NAMES)
        throw tooLarge(`A path may have at most ${MAX_NAMES} names.`, this.token)
      this.next()
      names.push(this.name())
    }
    return names
  }

  /** Returns whether an expression can begin with a token. */
  beginsExpression({ kind, word } = this.token): boolean {
    if (kind === 'end' || kind === 'text') return false
    if (kind === 'sign') return BEFORE_EXPRESSIONS.has(word)
    return kind !== 'word' || !AFTER_EXPRESSIONS.has(word)
  }

  /** Returns whether a query begins here: `select` may also be a column. */
  beginsQuery(): boolean {
    if (this.is('SELECT')) return this.beginsExpression(this.after())
    return this.is('WITH') && (this.isName(this.after()) || this.beginsExpression(this.after()))
  }

  /** Returns whether names, separated by commas, and an arrow come next. */
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

  /** Parses names in parentheses. */
  names(): string[] {
    this.expect('(')
    const found = [this.name()]
    while (this.take(',')) found.push(this.name())
    this.expect(')')
    return found
  }

  /** Parses expressions with commas between them. The last may also be followed by a comma. */
  list(): Expression[] {
    const items = [this.expression()]
    while (this.is(',') && !this.endsList()) {
      this.next()
      items.push(this.expression())
    }
    this.take(',')
    return items
  }

  /** Returns whether the next comma is the last of a list. The word of a clause is a column if the list continues after it. */
  endsList(): boolean {
    const [next, second] = [this.after(), this.after(2)]
    if (!CLAUSES.has(next.word)) return next.kind === 'end' || CLOSING.has(next.word)
    const goesOn = second.kind === 'end' || (second.kind === 'sign' && !BEFORE_EXPRESSIONS.has(second.word))
    return !(this.isName(next) && (goesOn || second.word === '.'))
  }

  /**
   * Parses a form that may begin at a position. When it throws a syntax error, nothing was read, and it is not tried there again:
   * otherwise, nested forms would take exponential time.
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

  /** Makes a node from a position to the end of the last token that was read. */
  node<Kind extends string, Fields extends object>(
    kind: Kind,
    start: number,
    fields: Fields,
  ): Fields & { node: Kind; start: number; end: number } {
    if (++this.#nodes > MAX_NODES)
      throw tooLarge(`A query may consist of at most ${MAX_NODES} parts.`, this.token)
    return { node: kind, start, end: this.end, ...fields }
  }

  /** @param reason what is wrong here, if the token does not say what to write */
  fail(reason?: string): never {
    const { kind, start, end } = this.token
    if (kind === 'end') {
      throw new HogqlError(
        'Syntax error: the query ends where more is expected.',
        { start, end },
        'syntax_error',
      )
    }
    const word = this.sql.slice(start, Math.min(end, start + 40))
    const parts = [`Syntax error at '${word}'`, this.#instead() ?? reason].filter(Boolean)
    throw new HogqlError(`${parts.join(': ')}.`, { start, end }, 'syntax_error')
  }

  /** Returns what to write for the token, if that is known. */
  #instead(): string | undefined {
    const { kind, word, value } = this.token
    if (word === 'FROM' && this.after(-3).word === 'EXTRACT' && this.after(-2).word === '(')
      return "a part of a date is written as date_part('month', date) or toMonth(date)"
    const isName =
      kind === 'word' && KEYWORDS.has(word) && !RESERVED.has(word) && !AFTER_EXPRESSIONS.has(word)
    const last = this.after(-1)
    const isAfterExpression = last.kind === 'sign' ? CLOSING.has(last.word) : !CLAUSES.has(last.word)
    const isLast = ['', ',', ')', 'FROM'].includes(this.after().word)
    return isName && isAfterExpression && isLast
      ? `the name '${value}' is a keyword, and takes AS before it`
      : undefined
  }
}

export const tooLarge = (message: string, { start, end }: Span) =>
  new HogqlError(message, { start, end }, 'query_too_large')

export const notSupported = (message: string, { start, end }: Span) => new HogqlError(message, { start, end })
