// Renders the title of the document: `new-checkout · Feature flags · Halyard`.
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { createStore } from './store'
import { useSettled } from './use-settled'

const BRAND = 'Halyard'

const pageName = createStore<string | null>(null)

/** Puts the name of a page's item before the title of its route. */
export function usePageName(name: string): void {
  useEffect(() => {
    pageName.set(name)
    return () => pageName.set(null)
  }, [name])
}

function focusContent(): void {
  const content = document.querySelector<HTMLElement>('#content')
  // A page may have focused one of its own fields.
  if (content && !content.contains(document.activeElement)) content.focus({ preventScroll: true })
}

/** An element that had the focus. */
interface Focused {
  element: HTMLElement
  /** The title of the card that it is in. */
  part: string | undefined
  /** The page that it is on. */
  path: string
}

const MAX_RECENT = 20

const titleIn = (card: Element | null): string | undefined => card?.querySelector('h2')?.textContent

/** Returns the button that makes a form of the part of the page with a title: a form that is saved becomes the part again. */
function editButtonOf(part: string | undefined): HTMLElement | undefined {
  if (part === undefined) return
  const card = [...document.querySelectorAll('#content .card')].find((each) => titleIn(each) === part)
  const buttons = [...(card?.querySelectorAll<HTMLElement>('header button') ?? [])]
  return buttons.find(({ textContent }) => textContent.trim() === 'Edit')
}

function takesFocus(element: HTMLElement | undefined): boolean {
  if (!element?.closest('#content')) return false
  element.focus({ preventScroll: true })
  return document.activeElement === element
}

/**
 * Moves the focus back when the element that has it is removed, which leaves it to none: to where it was last, else to the content. What is
 * saved takes its form with it, and a message that is answered its button.
 */
function keepFocus() {
  let focused: Element | null = null
  let recent: Focused[] = []
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    focused = target
    const { pathname: path } = location
    const others = recent.filter((each) => each.element !== target && each.path === path)
    recent = [{ element: target, part: titleIn(target.closest('.card')), path }, ...others].slice(
      0,
      MAX_RECENT,
    )
  }
  const observer = new MutationObserver(() => {
    if (!focused || focused.isConnected) return
    focused = null
    // A popup gives the focus back by itself.
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const isBack = recent.some(
        ({ element, part, path }) =>
          path === location.pathname && (takesFocus(element) || takesFocus(editButtonOf(part))),
      )
      if (!isBack) focusContent()
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
  const name = pageName.useValue()
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
