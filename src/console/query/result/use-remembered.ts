import { useState } from 'react'

/**
 * State that the browser stores for the next visit.
 * @param key of the state; with null, it lasts as long as the page
 */
export function useRemembered<T>(key: string | null, initial: T): [T, (value: T) => void] {
  const [state, setState] = useState(() => ({ key, value: read(key, initial) }))
  const current = state.key === key ? state.value : read(key, initial)
  return [
    current,
    (value) => {
      setState({ key, value })
      if (key === null) return
      try {
        localStorage.setItem(key, JSON.stringify(value))
      } catch {
        // Without storage, the state lasts as long as the page.
      }
    },
  ]
}

function read<T>(key: string | null, initial: T): T {
  try {
    const stored = key === null ? null : localStorage.getItem(key)
    return stored === null ? initial : (JSON.parse(stored) as T)
  } catch {
    return initial
  }
}
