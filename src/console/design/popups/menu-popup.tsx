import { Menu as BaseMenu } from '@base-ui/react/menu'
import { useEffect, useRef } from 'react'
import type { MenuItem, MenuProps } from './menu-items'
import { usePopupContainer } from './popup-container'

/** @param clicks of the event that opens it when it is first shown. */
function MenuPopup({ trigger, groups, align = 'end', clicks }: MenuProps & { clicks: number }) {
  const button = useRef<HTMLButtonElement>(null)
  const container = usePopupContainer()
  useEffect(() => {
    // Opened by its own button, it highlights the same item, and returns the focus, as each later time.
    button.current!.focus()
    button.current!.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: clicks }))
  }, [])
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger ref={button} render={trigger} />
      <BaseMenu.Portal container={container}>
        <BaseMenu.Positioner positionMethod="fixed" sideOffset={4} align={align} className="positioner">
          <BaseMenu.Popup className="popup">
            {groups.map(({ heading, items }, index) => (
              <div key={heading ?? index}>
                {index > 0 && <BaseMenu.Separator className="separator" />}
                {heading && <div className="group-label">{heading}</div>}
                {items.map((item) => (
                  <Item key={item.label} {...item} />
                ))}
              </div>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

const Item = ({ label, icon: Icon, end, isDanger = false, disabled = false, onSelect, href }: MenuItem) => (
  <BaseMenu.Item
    className={`item ${isDanger ? 'danger' : ''}`}
    disabled={disabled}
    onClick={onSelect}
    {...(href ? { render: <a href={href} /> } : {})}
  >
    {Icon && <Icon size={15} aria-hidden />}
    <span className="truncate">{label}</span>
    {end && <span className="end">{end}</span>}
  </BaseMenu.Item>
)

export default MenuPopup
