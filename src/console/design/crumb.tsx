import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { ChevronLeft } from 'lucide-react'

/** Leads to the list that a page belongs to. */
export const Crumb = createLink(({ children, ...props }: ComponentProps<'a'>) => (
  <a {...props} className="crumb row small">
    <ChevronLeft size={14} aria-hidden /> {children}
  </a>
))
