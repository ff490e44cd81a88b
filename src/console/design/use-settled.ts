import { useEffect, useState } from 'react'

/** The milliseconds without a change after which a value is settled. */
const SETTLED_MS = 250

/** Returns a value that follows another after a pause in its changes. */
export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
