import { Ellipsis } from 'lucide-react'
import { IconButton } from '../button'
import { Menu } from './menu'
import type { MenuItem } from './menu-items'

interface MoreMenuProps {
  /** The label, which is `More actions` by default. */
  label?: string
  isSmall?: boolean
  items: readonly MenuItem[]
}

/** The further actions of a page, or of a part of it; those that delete come last. */
export function MoreMenu({ label = 'More actions', isSmall = false, items }: MoreMenuProps) {
  const groups = [items.filter(({ isDanger }) => !isDanger), items.filter(({ isDanger }) => isDanger)]
  return (
    <Menu
      trigger={
        <IconButton label={label} kind={isSmall ? 'plain' : 'default'} isSmall={isSmall}>
          <Ellipsis size={isSmall ? 16 : 17} aria-hidden />
        </IconButton>
      }
      groups={groups.filter(({ length }) => length > 0).map((each) => ({ items: each }))}
    />
  )
}
