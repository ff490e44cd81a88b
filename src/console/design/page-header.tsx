import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: string
  /** Whether the title is what programs use: a key or name. */
  isCode?: boolean
  /** The content beside the title. */
  marks?: ReactNode
  /** The line below the title. */
  note?: ReactNode
  /** The actions of the page. */
  children?: ReactNode
}

/** The most characters of a title beside actions on a phone. Those of code are wider. */
const MAX_BESIDE = { words: 20, code: 14 }

export const PageHeader = ({ title, isCode, marks, note, children }: PageHeaderProps) => (
  <div className="page-header">
    <div className={`row wrap title ${title.length > MAX_BESIDE[isCode ? 'code' : 'words'] ? 'long' : ''}`}>
      <h1 className={isCode ? 'mono' : undefined}>{title}</h1>
      {marks}
    </div>
    {children}
    {note && <p className="soft">{note}</p>}
  </div>
)
