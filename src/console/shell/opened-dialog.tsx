import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Close, opened } from '../design/popups/opened'

/** Renders the dialog that is open, and closes it when another page is shown. */
export function OpenedDialog() {
  const current = opened.useValue()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => () => opened.set(null), [path])
  if (!current) return null
  // A change that ends later does not close a dialog that was opened since.
  const close = () => opened.get() === current && opened.set(null)
  return (
    <Close key={current.key} value={close}>
      {current.dialog}
    </Close>
  )
}
