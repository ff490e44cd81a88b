import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  /** Whether the title is what programs use: a key or name. */
  isCode?: boolean
  /** Beside the title. */
  marks?: ReactNode
  /** A line below it. */
  note?: ReactNode
  /** What can be done with what the page shows. */
  children?: ReactNode
}

export const PageHeader = ({ title, isCode, marks, note, children }: PageHeaderProps) => (
  <div className="page-header">
    <div className="row wrap title">
      <h1 className={isCode ? 'mono' : undefined}>{title}</h1>
      {marks}
    </div>
    {children}
    {note && <p className="soft">{note}</p>}
  </div>
)
