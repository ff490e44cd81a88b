// Menus. What shows them is loaded when the first one is opened.
import type { LucideIcon } from 'lucide-react'
import { cloneElement, lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react'

export interface MenuItem {
  label: string
  icon?: LucideIcon
  /** Beside the label. */
  end?: ReactNode
  isDanger?: boolean
  disabled?: boolean
  /** What it does, or where it leads. */
  onSelect?(): void
  href?: string
}

/** Items in groups, with a line between two groups. */
export type MenuGroups = readonly { heading?: string; items: readonly MenuItem[] }[]

export interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement<{ onClick?(): void; onPointerEnter?(): void; onFocus?(): void }>
  groups: MenuGroups
  align?: 'start' | 'end'
}

const load = () => import('./menu-popup')
const MenuPopup = lazy(load)

export function Menu(props: MenuProps) {
  const [isWanted, setIsWanted] = useState(false)
  const preload = () => void load()
  const button = cloneElement(props.trigger, {
    onClick: () => setIsWanted(true),
    onPointerEnter: preload,
    onFocus: preload,
  })
  return isWanted ? (
    <Suspense fallback={button}>
      <MenuPopup {...props} />
    </Suspense>
  ) : (
    button
  )
}
