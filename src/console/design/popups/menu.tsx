// Menus. What shows them is loaded when the first one is opened.
import { cloneElement, lazy, Suspense, useState } from 'react'
import type { MenuProps } from './menu-items'

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
