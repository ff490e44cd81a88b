// Parts of the header of a page.
import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { ChevronLeft } from './icons'

/** Leads to the list that a page belongs to. */
export const Crumb = createLink(({ children, ...props }: ComponentProps<'a'>) => (
  <a {...props} className="crumb row small">
    <ChevronLeft size={14} aria-hidden /> {children}
  </a>
))

interface ListTitleProps {
  title: string
  noun: string
  plural?: string
  query: { data?: { pages: readonly { count: number }[] } | undefined }
  isFiltered: boolean
}

/** The title of a list, with the number of its rows once it is known. */
export function ListTitle({ title, noun, plural = `${noun}s`, query, isFiltered }: ListTitleProps) {
  const count = query.data?.pages[0]?.count
  return (
    <div className="titles">
      <h1>{title}</h1>
      {count !== undefined && (
        <p className="soft" aria-live="polite">
          {count} {count === 1 ? noun : plural}
          {isFiltered && ' match'}
        </p>
      )}
    </div>
  )
}
