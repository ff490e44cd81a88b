// A titled box of a page.
import { type ReactNode, useId } from 'react'

interface CardProps {
  title: string
  hint?: ReactNode
  /** At the end of the header. */
  action?: ReactNode
  children: ReactNode
}

export function Card({ title, hint, action, children }: CardProps) {
  const id = useId()
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <div>
          <h2 id={id}>{title}</h2>
          {hint && <p className="soft small">{hint}</p>}
        </div>
        {action}
      </header>
      <div className="body stack">{children}</div>
    </section>
  )
}
