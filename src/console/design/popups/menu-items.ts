// What a menu shows.
import type { LucideIcon } from 'lucide-react'
import type { MouseEvent, ReactElement, ReactNode } from 'react'

export interface MenuItem {
  label: string
  icon?: LucideIcon
  /** The content beside the label. */
  end?: ReactNode
  isDanger?: boolean
  disabled?: boolean
  /** The action of the item, or the address to which it leads. */
  onSelect?(): void
  href?: string
}

/** Items in groups, with a line between two groups. */
export type MenuGroups = readonly { heading?: string; items: readonly MenuItem[] }[]

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<{
    onClick?(event: MouseEvent): void
    onPointerEnter?(): void
    onFocus?(): void
  }>
  groups: MenuGroups
  align?: 'start' | 'end'
}
