// What changes something is for those who may: the membership of a viewer reads only.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../api/queries'

export const useCanWrite = (): boolean => (useQuery(meQuery).data?.organization?.membership_level ?? 0) > 0

interface Props {
  children: ReactNode
}

/** Shows nothing to a viewer. */
export const Writers = ({ children }: Props) => (useCanWrite() ? children : null)

/** Controls that a viewer can read and not use. */
export const WriterFields = ({ children }: Props) => (
  <fieldset className="contents" disabled={!useCanWrite()}>
    {children}
  </fieldset>
)
