import { useEffect, useState } from 'react'

/** Milliseconds without a change. */
const SETTLED_MS = 250

/** A value that follows another after a pause in changes. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
