// Drives the timers and clocks of the process by a queue of events, so that time passes as fast as the program computes.

interface Event {
  at: number
  order: number
  run(): void
}

/** This is a binary heap by time, then by order of arrival. */
class EventQueue {
  readonly #events: Event[] = []
  #order = 0

  get next(): Event | undefined {
    return this.#events[0]
  }

  add(at: number, run: () => void): void {
    const events = this.#events
    // Times are whole milliseconds, so that events of one run together.
    events.push({ at: Math.ceil(at), order: this.#order++, run })
    for (let child = events.length - 1; child > 0;) {
      const parent = (child - 1) >> 1
      if (!isBefore(events[child]!, events[parent]!)) break
      ;[events[child], events[parent]] = [events[parent]!, events[child]!]
      child = parent
    }
  }

  take(): Event | undefined {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (!first || events.length === 0) return first
    events[0] = last!
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      let least = parent
      if (left < events.length && isBefore(events[left]!, events[least]!)) least = left
      if (right < events.length && isBefore(events[right]!, events[least]!)) least = right
      if (least === parent) return first
      ;[events[parent], events[least]] = [events[least]!, events[parent]!]
      parent = least
    }
  }
}

const isBefore = (a: Event, b: Event) => a.at < b.at || (a.at === b.at && a.order < b.order)

/** The turns of the real event loop that resolved promises need: the body of a response takes several. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
}

export interface VirtualTime {
  /** Returns milliseconds since the epoch. */
  now(): number
  /** Calls a function at a time. */
  at(time: number, run: () => void): void
  wait(ms: number): Promise<void>
  /** Lets time pass until a moment. */
  runUntil(end: number): Promise<void>
}

/** Replaces the timers and clocks of the process. */
export function installVirtualTime(start: number): VirtualTime {
  const queue = new EventQueue()
  const cancelled = new Set<number>()
  let now = start
  let ids = 0
  const wait = (ms: number) => new Promise<void>((resolve) => queue.add(now + Math.max(0, ms), resolve))

  const setTimer = (run: () => void, ms = 0) => {
    const id = ++ids
    queue.add(now + Math.max(0, ms), () => {
      if (!cancelled.delete(id)) run()
    })
    return id
  }
  Object.assign(globalThis, {
    setTimeout: setTimer,
    clearTimeout: (id?: number) => void (id !== undefined && cancelled.add(id)),
    scheduler: { wait },
  })
  Date.now = () => now
  performance.now = () => now

  return {
    now: () => now,
    at: (time, run) => queue.add(time, run),
    wait,
    async runUntil(end) {
      for (;;) {
        await settle()
        const next = queue.next
        if (!next || next.at > end) break
        now = next.at
        while (queue.next && queue.next.at <= now) queue.take()!.run()
      }
      now = end
    },
  }
}
