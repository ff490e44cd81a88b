// Shows controls that change something to users who may use them: an operation requires a level of membership, and viewers may only read.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from '../api/queries'
import { useShortcuts } from '../design/use-shortcuts'
import { ADMIN, levelOf, MEMBER } from './levels'

/** @param level the level that the operation requires */
export function useCanWrite(level = MEMBER): boolean {
  const { data: me } = useQuery(meQuery)
  return me !== undefined && levelOf(me) >= level
}

interface Props {
  /** The level that the operation requires. */
  level?: number
  children: ReactNode
}

/** Shows nothing to users below the level. */
export const Writers = ({ level, children }: Props) => (useCanWrite(level) ? children : null)

/** Disables controls for users below the level. The frame says to viewers that they are viewers. */
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

/** Saves on Control and S, or Command and S, for users who may change something. */
export function useSaveKey(save: () => void): void {
  const canWrite = useCanWrite()
  useShortcuts({ 'mod+s': () => canWrite && save() })
}
