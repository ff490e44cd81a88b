import { useEffect, useRef, useState } from 'react'

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

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Holds what is entered in a field, and reports it after a pause. A value that changes by other means, such as the back button, replaces it. */
export function useSettledInput<T>(
  value: T,
  onChange: (entered: T) => void,
  isValid: (entered: T) => boolean = () => true,
) {
  const [entered, setEntered] = useState(value)
  const settled = useSettled(entered)
  const known = useRef(value)
  useEffect(() => {
    if (!isSame(value, known.current)) setEntered(value)
    known.current = value
  }, [JSON.stringify(value)])
  useEffect(() => {
    if (isSame(settled, value) || !isValid(settled)) return
    known.current = settled
    onChange(settled)
  }, [settled])
  return [entered, setEntered] as const
}
