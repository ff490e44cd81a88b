import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  /** Beside the title. */
  marks?: ReactNode
  /** A line below it. */
  note?: ReactNode
  /** What can be done with what the page shows. */
  children?: ReactNode
}

export const PageHeader = ({ title, marks, note, children }: PageHeaderProps) => (
  <div className="page-header">
    <div className="titles">
      <div className="row wrap">
        <h1>{title}</h1>
        {marks}
      </div>
      {note && <p className="soft">{note}</p>}
    </div>
    {children}
  </div>
)
