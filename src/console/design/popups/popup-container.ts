import { createContext, type RefObject, useContext } from 'react'

/** The dialog around a component, if there is one. A dialog makes everything outside of it inert. */
export const PopupContainer = createContext<RefObject<HTMLElement | null> | null>(null)

/** Returns the container for the popups of a component: its dialog, or the page's main part. */
export const usePopupContainer = () =>
  useContext(PopupContainer) ?? document.querySelector<HTMLElement>('main')
