// Keeps the focus in a list of parts when one is added or removed. Otherwise the browser would put it at the start of the page.
import { flushSync } from 'react-dom'

/**
 * Adds a part, and focuses its first field.
 * @param selector of the parts
 */
export function addPart(selector: string, add: () => void): void {
  flushSync(add)
  const part = [...document.querySelectorAll(selector)].at(-1)
  part?.querySelector<HTMLElement>('input, select')?.focus()
}

/**
 * Removes the part that a button is in. If the button is gone with it, the focus moves to that of the part before, or to what adds a part.
 */
export function removePart(
  { currentTarget: button }: { currentTarget: HTMLElement },
  remove: () => void,
): void {
  const list = button.closest('ul, ol, .tokens')
  const around = list?.parentElement
  flushSync(remove)
  if (button.isConnected && button.matches(':enabled')) return
  const buttons = [...(around?.querySelectorAll<HTMLElement>('button:enabled') ?? [])]
  const before = buttons.findLast(
    (each) => list?.contains(each) && each.getAttribute('aria-label')?.startsWith('Remove '),
  )
  const adding = buttons.find((each) => each.textContent.trim().startsWith('Add '))
  ;(before ?? adding ?? around?.querySelector('input'))?.focus()
}
