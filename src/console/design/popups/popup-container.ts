import { createContext, type RefObject, useContext } from 'react'

/** The dialog around a component, where there is one: it makes everything outside inert. */
export const PopupContainer = createContext<RefObject<HTMLElement | null> | null>(null)

/** Where the popups of a component belong: in its dialog, or in the page's main part. */
export const usePopupContainer = () =>
  useContext(PopupContainer) ?? document.querySelector<HTMLElement>('main')
