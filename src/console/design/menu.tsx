import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'

interface MenuProps {
  /** The button that opens it. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align={align} className="positioner">
          <BaseMenu.Popup className="popup">{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

interface ItemProps {
  onSelect(): void
  icon?: ReactNode
  end?: ReactNode
  isDanger?: boolean
  disabled?: boolean
  children: ReactNode
}

export const MenuItem = ({
  onSelect,
  icon,
  end,
  isDanger = false,
  disabled = false,
  children,
}: ItemProps) => (
  <BaseMenu.Item className={`item ${isDanger ? 'danger' : ''}`} onClick={onSelect} disabled={disabled}>
    {icon}
    <span className="truncate">{children}</span>
    {end && <span className="end">{end}</span>}
  </BaseMenu.Item>
)

export const MenuLink = ({
  href,
  icon,
  children,
}: {
  href: string
  icon?: ReactNode
  children: ReactNode
}) => (
  <BaseMenu.Item className="item" render={<a href={href} />}>
    {icon}
    <span className="truncate">{children}</span>
  </BaseMenu.Item>
)

export const MenuSeparator = () => <BaseMenu.Separator className="separator" />

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div className="group-label">{children}</div>
)
