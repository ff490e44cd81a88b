// Renders avatars, times, tags and text to copy.
import { Check, Copy } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useReducer, useState } from 'react'
import { IconButton } from './button'
import { highlight } from './code/highlight'
import { exactTime, relativeTime } from '../../time/relative-time'

interface Person {
  first_name: string
  last_name?: string
  email?: string | null
}

export const nameOf = ({ first_name: first, last_name: last = '', email }: Person): string =>
  `${first} ${last}`.trim() || email || 'Unnamed user'

const initialsOf = (person: Person): string =>
  nameOf(person)
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')

export function Avatar({ person }: { person: Person }) {
  return (
    <span className="avatar" aria-hidden>
      {initialsOf(person)}
    </span>
  )
}

/** Shows a time in words, with the exact time on hover. */
export function Time({ at }: { at: string }) {
  const [, renderAgain] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(renderAgain, 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={exactTime(at)}>
      {relativeTime(at, Date.now())}
    </time>
  )
}

/** Shows when something was created, and by whom. */
export const Created = ({
  created_at: at,
  created_by: by,
}: {
  created_at: string
  created_by: Person | null
}) => (
  <>
    <Time at={at} />
    {by && <> by {nameOf(by)}</>}
  </>
)

export const Badge = ({
  tone = '',
  children,
}: {
  tone?: '' | 'good' | 'warn' | 'bad' | 'accent'
  children: ReactNode
}) => <span className={`badge ${tone}`}>{children}</span>

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  return (
    <IconButton
      label={isCopied ? 'Copied' : label}
      isSmall
      onClick={() => void navigator.clipboard.writeText(text).then(() => setIsCopied(true))}
    >
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </IconButton>
  )
}

export const CodeBlock = ({ code, label }: { code: string; label: string }) => (
  <div className="code-block">
    <pre role="group" aria-label={label}>
      <code>{highlight(code)}</code>
    </pre>
    <CopyButton text={code} />
  </div>
)

export const Key = ({ children }: { children: ReactNode }) => <kbd className="kbd">{children}</kbd>

export type Fact = readonly [name: string, value: ReactNode]

/** Names with their values. One without a value is left out. */
export const Facts = ({ facts, className = 'facts' }: { facts: readonly Fact[]; className?: string }) => (
  <dl className={className}>
    {facts.map(
      ([name, value]) =>
        (value || value === 0) && (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ),
    )}
  </dl>
)
