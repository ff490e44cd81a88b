// Rejects clauses of other dialects by name, and says what to write instead.
import { HogqlError } from '../error'
import { notSupported, type Reader } from './reader'

/** Unsupported clauses by their first words, after a table, a column or the query. */
const CLAUSES: readonly [words: string, instead: string][] = [
  ['INTO OUTFILE', 'the response has the rows'],
  ['FETCH FIRST', 'use LIMIT'],
  ['FETCH NEXT', 'use LIMIT'],
  ['FOR UPDATE', 'queries only read'],
  ['FOR SHARE', 'queries only read'],
  ['TABLESAMPLE BERNOULLI', "use a condition, such as endsWith(uuid, '0') for one event of sixteen"],
  ['TABLESAMPLE SYSTEM', "use a condition, such as endsWith(uuid, '0') for one event of sixteen"],
  ['SETTINGS', 'leave it out'],
]

/** @throws HogqlError when one of the clauses begins */
export function rejectOtherClause(reader: Reader): void {
  for (const [words, instead] of CLAUSES) {
    if (reader.is(...words.split(' ')))
      throw notSupported(`${words} is not supported: ${instead}`, reader.token)
  }
  const isFormat = reader.is('FORMAT') && reader.after().kind === 'word' && /^;?$/.test(reader.after(2).word)
  if (isFormat) throw notSupported('FORMAT is not supported: results are JSON', reader.token)
}

const STATEMENTS: Readonly<Record<string, string>> = {
  EXPLAIN: 'write the SELECT alone',
  SHOW: 'the kind DatabaseSchemaQuery describes the tables',
  DESCRIBE: 'the kind DatabaseSchemaQuery describes the tables',
  DESC: 'the kind DatabaseSchemaQuery describes the tables',
  ...Object.fromEntries(
    'INSERT UPDATE DELETE CREATE DROP ALTER TRUNCATE RENAME OPTIMIZE ATTACH DETACH GRANT REVOKE SET USE SYSTEM KILL MERGE REPLACE COPY CALL BEGIN COMMIT'
      .split(' ')
      .map((word) => [word, 'a query is a SELECT']),
  ),
}

/** @throws HogqlError always, because a query begins with another word */
export function rejectBeginning({ token }: Reader): never {
  const instead = Object.hasOwn(STATEMENTS, token.word) ? STATEMENTS[token.word] : undefined
  throw instead
    ? notSupported(`${token.word} is not supported: ${instead}`, token)
    : new HogqlError('Syntax error: a query begins with SELECT or WITH.', token, 'syntax_error')
}
