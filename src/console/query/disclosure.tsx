// Shows a part of a page that the user can open.
import { type ReactNode, useState } from 'react'
import './query.css'

/** @param isNeeded opens it, because it has a reported error */
export function Disclosure({
  summary,
  isNeeded = false,
  children,
}: {
  summary: string
  isNeeded?: boolean
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(false)
  const isShown = isOpen || isNeeded
  return (
    <details open={isShown} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="disclosure small">{summary}</summary>
      {isShown && children}
    </details>
  )
}
