// Renders a titled box of a page.
import { type ReactNode, useId } from 'react'

interface CardProps {
  /** The id by which addresses name it. */
  id?: string
  title: string
  hint?: ReactNode
  /** The content at the end of the header. */
  action?: ReactNode
  /** Whether the content reaches the edges, such as a list or a table. */
  isFlush?: boolean
  children: ReactNode
}

export function Card({ id, title, hint, action, isFlush, children }: CardProps) {
  const titleId = useId()
  return (
    <section className="card" id={id} aria-labelledby={titleId}>
      <header>
        <div>
          <h2 id={titleId}>{title}</h2>
          {hint && <p className="soft small">{hint}</p>}
        </div>
        {action}
      </header>
      {isFlush ? children : <div className="body stack">{children}</div>}
    </section>
  )
}
