// The palette as the frame opens it, before its code is loaded.
import type { User } from '../api/client'

export const PALETTE_LABEL = 'Search flags, queries, people and pages'

export interface PaletteProps {
  me: User
  projectId: number
  /** What is typed. */
  text: string
  onText(text: string): void
  /** Whether Enter was pressed since, before it was known what is called so. */
  isEntered: boolean
  onEnter(): void
  onClose(): void
}
