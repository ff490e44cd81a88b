// Opens dialogs outside of the page, so that what opens one holds no state for it.
import { createContext, type ReactNode, useContext } from 'react'
import { createStore } from '../store'

export const opened = createStore<{ key: number; dialog: ReactNode } | null>(null)
let count = 0

/** Opens a dialog, in place of an earlier one. It closes when another page is shown. */
export const openDialog = (dialog: ReactNode): void => {
  count += 1
  opened.set({ key: count, dialog })
}

export const Close = createContext(() => {})

/** Returns what closes the dialog around a component. */
export const useClose = () => useContext(Close)
