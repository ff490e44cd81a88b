import { useEffect, useRef } from 'react'

/** Keys and their actions: `c`, `mod+k` (Command on a Mac, else Control), or a sequence of two keys: `g f`. */
export type Shortcuts = Readonly<Record<string, () => void>>

/** The most milliseconds between the keys of a sequence. */
const SEQUENCE_MS = 900

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))

/**
 * Handles shortcuts while the component is mounted. Those of letters only are ignored while the user types, and while a dialog or menu is
 * open.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => {
    let prefix = ''
    let prefixAt = 0
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const isModified = event.metaKey || event.ctrlKey
      if (
        !isModified &&
        (isTyping(event.target) || document.querySelector('dialog[open], [role=menu], [role=listbox]'))
      )
        return
      const key = isModified ? `mod+${event.key.toLowerCase()}` : event.key
      const sequence = event.timeStamp - prefixAt < SEQUENCE_MS ? `${prefix} ${key}` : key
      const action = current.current[sequence] ?? current.current[key]
      prefix = key
      prefixAt = event.timeStamp
      if (!action) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
