// Renders what a page shows while it loads, when there is nothing to show, and when something failed.
import { CircleAlert, CircleCheck, CloudOff, Info, RotateCw, SearchX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { mayRepeat, messageOf, NotLoaded, Problem } from '../api/problem'
import { Button, buttonClass } from './button'
import { usePageName } from './page-title'

type Tone = 'info' | 'good' | 'warn' | 'bad'

const ICONS = { info: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert }

export function Notice({ tone = 'info', children }: { tone?: Tone; children: ReactNode }) {
  const Icon = ICONS[tone]
  return (
    <div className={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={17} aria-hidden />
      <div>{children}</div>
    </div>
  )
}

/** What follows the first line is code, such as a query with a mark below its error. */
export function Message({ text }: { text: string }) {
  const [first, ...code] = text.split('\n')
  return (
    <>
      {first}
      {code.length > 0 && <pre className="message-code">{code.join('\n')}</pre>}
    </>
  )
}

export const ProblemNotice = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <Notice tone="bad">
    <Message text={messageOf(error)} />
    {onRetry && mayRepeat(error) && (
      <>
        {' '}
        <Button isSmall onClick={onRetry}>
          <RotateCw size={13} aria-hidden /> Try again
        </Button>
      </>
    )}
  </Notice>
)

interface EmptyProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  /** 1 where it is all that a page has. */
  level?: 1 | 2
}

export const Empty = ({ icon, title, children, action, level = 2 }: EmptyProps) => (
  <div className="empty">
    {icon}
    {level === 1 ? <h1>{title}</h1> : <h2>{title}</h2>}
    {children && <p>{children}</p>}
    {action}
  </div>
)

interface PageProblemProps {
  error: unknown
  /** The kind of item that the page shows, such as `flag`. The list of them is at the address above. */
  noun?: string
  onRetry(): void
}

/** Replaces a page that cannot be shown. */
export function PageProblem({ error, noun, onRetry }: PageProblemProps) {
  const isMissing = error instanceof Problem && error.status === 404
  const title = isMissing
    ? 'Page not found'
    : error instanceof Problem
      ? 'This page could not be loaded'
      : 'This page has an error'
  usePageName(title)
  if (isMissing)
    return (
      <Empty
        level={1}
        icon={<SearchX size={28} aria-hidden />}
        title={title}
        action={
          <a className={buttonClass({})} href={noun ? location.pathname.replace(/\/[^/]*$/, '') : '/'}>
            {noun ? 'Go to the list' : 'Go to the start'}
          </a>
        }
      >
        {noun ? `There is no ${noun} at this address.` : error.message}
      </Empty>
    )
  return (
    <Empty
      level={1}
      icon={<CloudOff size={28} aria-hidden />}
      title={title}
      action={
        <div className="row">
          <Button kind="primary" onClick={onRetry}>
            Try again
          </Button>
          {error instanceof NotLoaded && <Button onClick={() => location.reload()}>Reload the page</Button>}
        </div>
      }
    >
      {messageOf(error)}
    </Empty>
  )
}

export const Skeleton = ({ width = '100%', height = '0.9em' }: { width?: string; height?: string }) => (
  <span className="skeleton" style={{ width, height }} />
)

/** Shows that a part of a page loads. */
export const Loading = ({ label = 'Loading' }: { label?: string }) => (
  <div className="loading" role="status">
    <Skeleton width="40%" />
    <Skeleton width="90%" />
    <Skeleton width="75%" />
    <span className="visually-hidden">{label}</span>
  </div>
)

/** Shows that a page loads, with its header and a card. */
export const PageLoading = ({ label }: { label?: string }) => (
  <>
    <div className="page-header">
      <Skeleton width="14rem" height="1.75rem" />
      <p>
        <Skeleton width="22rem" />
      </p>
    </div>
    <div className="card">
      <Loading label={label} />
    </div>
  </>
)
