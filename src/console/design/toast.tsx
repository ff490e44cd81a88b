// Short messages about what was done, with a way to undo it.
import { X } from 'lucide-react'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { messageOf } from '../api/problem'
import { Button, buttonClass, IconButton } from './button'

interface Message {
  id: number
  text: string
  isProblem: boolean
  action?: { label: string; run(): void } | { label: string; href: string }
}

/** Messages shown at once. */
const MAX_SHOWN = 4

let messages: readonly Message[] = []
let nextId = 1
const listeners = new Set<() => void>()

function show(next: readonly Message[]): void {
  messages = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => show(messages.filter((message) => message.id !== id))

function add(message: Omit<Message, 'id'>, milliseconds: number): void {
  const id = nextId++
  show([...messages, { ...message, id }].slice(-MAX_SHOWN))
  setTimeout(() => dismiss(id), milliseconds)
}

/** Says that something was done. */
export const say = (text: string, undo?: () => void): void =>
  add(
    { text, isProblem: false, ...(undo ? { action: { label: 'Undo', run: undo } } : {}) },
    undo ? 10_000 : 5_000,
  )

/** Says where to go on. */
export const sayLink = (text: string, label: string, href: string): void =>
  add({ text, isProblem: false, action: { label, href } }, 15_000)

/** Says that something failed, where the page has no better place. */
export const sayProblem = (error: unknown, retry?: () => void): void =>
  add(
    {
      text: messageOf(error),
      isProblem: true,
      ...(retry ? { action: { label: 'Try again', run: retry } } : {}),
    },
    15_000,
  )

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => messages)
  const region = useRef<HTMLElement>(null)
  // Above dialogs: what was shown last is on top.
  useEffect(() => {
    region.current?.hidePopover()
    if (shown.length > 0) region.current?.showPopover()
  }, [shown])
  return (
    <section ref={region} popover="manual" className="toasts" aria-label="Notifications">
      <ol aria-live="polite" aria-relevant="additions">
        {shown.map(({ id, text, isProblem, action }) => (
          <li key={id} className={`toast ${isProblem ? 'bad' : ''}`}>
            <span className="grow">{text}</span>
            {action && 'href' in action && (
              <a className={buttonClass({ isSmall: true })} href={action.href}>
                {action.label}
              </a>
            )}
            {action && 'run' in action && (
              <Button
                isSmall
                onClick={() => {
                  dismiss(id)
                  action.run()
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton label="Dismiss" isSmall onClick={() => dismiss(id)}>
              <X size={15} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ol>
    </section>
  )
}
