// The palette as the frame opens it, before its code is loaded.
import type { User } from '../api/client'

export const PALETTE_LABEL = 'Search flags, queries, people and pages'

export interface PaletteProps {
  me: User
  projectId: number
  /** What is typed. */
  text: string
  onText(text: string): void
  onClose(): void
}
