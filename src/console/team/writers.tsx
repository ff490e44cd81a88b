// What changes something is for those who may: an operation asks for a level of membership, and viewers read only.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../api/queries'
import { useShortcuts } from '../design/use-shortcuts'
import { ADMIN, MEMBER } from './levels'

/** @param level what the operation asks for. */
export const useCanWrite = (level = MEMBER): boolean =>
  (useQuery(meQuery).data?.organization?.membership_level ?? 0) >= level

interface Props {
  /** What the operation asks for. */
  level?: number
  children: ReactNode
}

/** Shows nothing to those below the level. */
export const Writers = ({ level, children }: Props) => (useCanWrite(level) ? children : null)

/** Controls that those below the level can read and not use. The frame says to viewers that they are viewers. */
export function WriterFields({ level = MEMBER, children }: Props) {
  const canWrite = useCanWrite(level)
  return (
    <>
      {!canWrite && level >= ADMIN && <p className="soft">Admins and owners can change these settings.</p>}
      <fieldset className="contents writer-fields" disabled={!canWrite}>
        {children}
      </fieldset>
    </>
  )
}

/** Control and S, or Command and S, save for those who may change something. */
export function useSaveKey(save: () => void): void {
  const canWrite = useCanWrite()
  useShortcuts({ 'mod+s': () => canWrite && save() })
}
