// Highlights samples of code: comments, strings and keywords, in all languages of the samples.
import { Fragment, type ReactNode } from 'react'

const KEYWORDS =
  'as|async|await|catch|const|def|else|export|False|false|for|from|function|if|import|in|let|new|None|not|null|return|True|true|try|with'

/** Patterns with bounded repetitions, so that a missing end is not searched in all of the code. */
const SOURCES = [
  // The slashes of an address do not begin a comment.
  String.raw`(?<comment>(?<![:\w])\/\/.{0,1000}|(?<!\S)#.{0,1000})`,
  String.raw`(?<string>'(?:\\.|[^'\\\n]){0,1000}'|"(?:\\.|[^"\\\n]){0,1000}"|${'`'}(?:\\.|[^${'`'}\\]){0,1000}${'`'})`,
  String.raw`(?<keyword>(?<![\w.$-])(?:${KEYWORDS})(?![\w:-]))`,
].join('|')

const TOKENS = new RegExp(SOURCES, 'g')

export function highlight(code: string): ReactNode {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of code.matchAll(TOKENS)) {
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
