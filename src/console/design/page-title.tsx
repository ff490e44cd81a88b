// Renders the title of the document: `new-checkout · Feature flags · Halyard`.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useSettled } from './use-settled'

const BRAND = 'Halyard'

let pageName: string | null = null
const listeners = new Set<() => void>()

function setPageName(name: string | null): void {
  pageName = name
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Puts the name of a page's item before the title of its route. */
export function usePageName(name: string): void {
  useEffect(() => {
    setPageName(name)
    return () => setPageName(null)
  }, [name])
}

function focusContent(): void {
  const content = document.querySelector<HTMLElement>('#content')
  // A page may have focused one of its own fields.
  if (content && !content.contains(document.activeElement)) content.focus({ preventScroll: true })
}

/** Moves the focus to the content when the element that has it is removed, which leaves it to none. */
function keepFocus() {
  let focused: EventTarget | null = null
  const onFocus = ({ target }: FocusEvent) => {
    focused = target
  }
  const observer = new MutationObserver(() => {
    if (!(focused instanceof Element) || focused.isConnected) return
    focused = null
    // A popup gives the focus back by itself.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusContent()
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocus)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
  }
}

/** Sets the title. After a navigation, it moves the focus to the content and announces the title. */
export function PageTitle() {
  const name = useSyncExternalStore(subscribe, () => pageName)
  const section = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.title })
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const title = [name, section, BRAND].filter(Boolean).join(' · ')
  useEffect(() => {
    document.title = title
  }, [title])

  const firstPath = useRef<string>(undefined)
  const [isMoved, setIsMoved] = useState(false)
  useEffect(() => {
    firstPath.current ??= path
    if (path === firstPath.current && !isMoved) return
    setIsMoved(true)
    focusContent()
  }, [path])
  useEffect(keepFocus, [])
  const settled = useSettled(title)
  return (
    <div className="visually-hidden" role="status">
      {isMoved && settled}
    </div>
  )
}
