// Renders short messages about completed actions, with a way to undo them.
import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { mayRepeat, messageOf } from '../../api/problem'
import { Button, buttonClass, IconButton } from '../button'
import { createStore } from '../store'

interface Message {
  id: number
  text: string
  isProblem: boolean
  /** How long the message is shown. */
  milliseconds: number
  action?: { label: string; run(): void } | { label: string; href: string }
}

/** The most messages that are shown at once. */
const MAX_SHOWN = 4

const messages = createStore<readonly Message[]>([])
let nextId = 1

const dismiss = (id: number) => messages.set(messages.get().filter((message) => message.id !== id))

/** @returns a function that dismisses the message. */
function add(message: Omit<Message, 'id'>): () => void {
  const id = nextId++
  // One that says the same again replaces the earlier one, of which the way to undo is outdated.
  const others = messages.get().filter(({ text }) => text !== message.text)
  messages.set([...others, { ...message, id }].slice(-MAX_SHOWN))
  return () => dismiss(id)
}

/** Shows a message about a completed action. @returns a function that dismisses it. */
export const say = (text: string, undo?: () => void): (() => void) =>
  add({
    text,
    isProblem: false,
    milliseconds: undo ? 10_000 : 5_000,
    ...(undo ? { action: { label: 'Undo', run: undo } } : {}),
  })

/** Shows a message with a link. */
export const sayLink = (text: string, label: string, href: string): void =>
  void add({ text, isProblem: false, milliseconds: 15_000, action: { label, href } })

/** Shows a message about a failure, if the page has no better place for it. */
export const sayProblem = (error: unknown, retry?: () => void): void =>
  void add({
    text: messageOf(error),
    isProblem: true,
    milliseconds: 15_000,
    ...(retry && mayRepeat(error) ? { action: { label: 'Try again', run: retry } } : {}),
  })

export function Toasts() {
  const shown = messages.useValue()
  const region = useRef<HTMLElement>(null)
  const [isPointed, setIsPointed] = useState(false)
  const [isFocused, setIsFocused] = useState(false)
  // Messages stay while they are hovered or focused.
  const isRead = isPointed || isFocused
  useEffect(() => {
    const element = region.current!
    const hasFocus = element.contains(document.activeElement)
    if (!hasFocus) {
      // The element is shown again, so that it is above dialogs.
      element.hidePopover()
      if (shown.length > 0) element.showPopover()
    }
    // A message that is removed under the pointer or with the focus sends no event.
    setIsFocused(hasFocus)
    setIsPointed(element.matches(':hover'))
  }, [shown])
  return (
    <section
      ref={region}
      popover="manual"
      className="toasts"
      aria-label="Notifications"
      onPointerEnter={() => setIsPointed(true)}
      onPointerLeave={() => setIsPointed(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      <ol aria-live="polite" aria-relevant="additions">
        {shown.map(({ id, text, isProblem, milliseconds, action }) => (
          <li key={id} className={`toast ${isProblem ? 'bad' : ''}`}>
            {!isRead && <Timer id={id} milliseconds={milliseconds} />}
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

/** Dismisses a message after its time, which restarts each time that this is mounted. */
function Timer({ id, milliseconds }: { id: number; milliseconds: number }) {
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), milliseconds)
    return () => clearTimeout(timer)
  }, [id, milliseconds])
  return null
}
