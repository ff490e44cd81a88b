// Colours in samples of code: comments, strings and keywords, in any of the languages of the samples.
import { Fragment, type ReactNode } from 'react'

const KEYWORDS =
  'as|async|await|catch|const|def|else|export|False|false|for|from|function|if|import|in|let|new|None|not|null|return|True|true|try|with'

const TOKENS = new RegExp(
  [
    // Not the slashes of an address.
    /(?<comment>(?<![:\w])\/\/.*|(?<!\S)#.*)/,
    /(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)/,
    new RegExp(`(?<keyword>(?<![\\w.$-])(?:${KEYWORDS})(?![\\w:-]))`),
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

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
