// Highlights samples of code: comments, strings and keywords, in all languages of the samples.
import { Fragment, type ReactNode } from 'react'

const KEYWORDS =
  'as|async|await|catch|const|def|else|export|False|false|for|from|function|if|import|in|let|new|None|not|null|return|True|true|try|with'

/**
 * Returns a pattern of the tokens that are highlighted. Its repetitions are bounded, so that a missing end is not searched in all of the
 * code.
 * @param comment pattern of what begins a comment of a line
 */
function tokensOf(comment: string, keywords: string, flags: string): RegExp {
  const sources = [
    `(?<comment>(?:${comment}).{0,1000})`,
    String.raw`(?<string>'(?:\\.|[^'\\\n]){0,1000}'|"(?:\\.|[^"\\\n]){0,1000}"|${'`'}(?:\\.|[^${'`'}\\]){0,1000}${'`'})`,
    String.raw`(?<keyword>(?<![\w.$-])(?:${keywords})(?![\w:-]))`,
  ]
  return new RegExp(sources.join('|'), flags)
}

/** The slashes of an address do not begin a comment. */
const OF_SAMPLES = tokensOf(String.raw`(?<![:\w])\/\/|(?<!\S)#`, KEYWORDS, 'g')

/** Returns the tokens of SQL with these keywords, for `highlight`. */
export const sqlTokens = (keywords: readonly string[]): RegExp => tokensOf('--', keywords.join('|'), 'gi')

/** @param tokens named groups by kind; default: those of the languages of samples */
export function highlight(code: string, tokens: RegExp = OF_SAMPLES): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of code.matchAll(tokens)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0]
    parts.push(
      <Fragment key={match.index}>
        {code.slice(end, match.index)}
        <span className={`code-${kind}`}>{match[0]}</span>
      </Fragment>,
    )
    end = match.index + match[0].length
  }
  return [...parts, code.slice(end)]
}
