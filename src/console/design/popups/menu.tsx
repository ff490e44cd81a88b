// Menus. What shows them is loaded when the first one is opened.
import { cloneElement, type ComponentType, type MouseEvent, useState } from 'react'
import type { MenuProps } from './menu-items'
import { sayProblem } from './toast'

const load = () => import('./menu-popup')

type Popup = ComponentType<MenuProps & { clicks: number }>

export function Menu(props: MenuProps) {
  // `clicks` is that of the event: 0 for a key.
  const [popup, setPopup] = useState<{ Popup: Popup; clicks: number } | null>(null)
  if (popup) return <popup.Popup {...props} clicks={popup.clicks} />
  const preload = () => void load().catch(() => {})
  return cloneElement(props.trigger, {
    // The button keeps the focus until the menu replaces it.
    onClick: ({ detail }: MouseEvent) =>
      void load().then(({ default: Popup }) => setPopup({ Popup, clicks: detail }), sayProblem),
    onPointerEnter: preload,
    onFocus: preload,
  })
}
