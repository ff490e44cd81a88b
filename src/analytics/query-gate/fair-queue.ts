// The order in which projects take turns at work that is limited together. Pure: its owner keeps the time.

export interface QueueLimits {
  /** Weight of all work under way. Work that is heavier goes alone. */
  weight: number
  /** Pieces of work that one project has under way. */
  perProject: number
  /** Pieces of work that wait, in all and of one project. */
  waiting: number
  waitingPerProject: number
}

export interface Work {
  projectId: number
  weight: number
  /** Called when it is its turn, at most once. */
  start(): void
}

/**
 * A round-robin queue: projects take turns, whoever has how much waiting. A project whose work is under way is passed over; work that does
 * not fit yet is not overtaken, so that light work of many projects cannot keep it waiting.
 */
export class FairQueue {
  /** Pieces under way, by project. */
  readonly #underWay = new Map<number, number>()
  /** The project whose turn is next comes first. */
  readonly #waiting = new Map<number, Work[]>()
  #weight = 0
  #waitingCount = 0

  constructor(readonly limits: QueueLimits) {}

  /** Starts work, or has it wait. @returns false when too much waits already. */
  add(work: Work): boolean {
    const own = this.#waiting.get(work.projectId) ?? []
    const { waiting, waitingPerProject } = this.limits
    if (own.length >= waitingPerProject || this.#waitingCount >= waiting) return false
    own.push(work)
    this.#waiting.set(work.projectId, own)
    this.#waitingCount += 1
    this.#startNext()
    return true
  }

  /** Takes work back that waits. @returns false when it has been started. */
  remove(work: Work): boolean {
    const own = this.#waiting.get(work.projectId)
    const place = own?.indexOf(work) ?? -1
    if (!own || place < 0) return false
    this.#take(work.projectId, own, place)
    this.#startNext()
    return true
  }

  /** Notes that work has ended. */
  end({ projectId, weight }: Work): void {
    const left = (this.#underWay.get(projectId) ?? 1) - 1
    if (left > 0) this.#underWay.set(projectId, left)
    else this.#underWay.delete(projectId)
    this.#weight -= weight
    this.#startNext()
  }

  /** Whether a project has as much under way as it may. */
  isBusy(projectId: number): boolean {
    return (this.#underWay.get(projectId) ?? 0) >= this.limits.perProject
  }

  #startNext(): void {
    for (const [projectId, own] of this.#waiting) {
      if (this.isBusy(projectId)) continue
      const [work] = own
      if (!work || (this.#underWay.size > 0 && this.#weight + work.weight > this.limits.weight)) return
      this.#take(projectId, own, 0)
      if (own.length > 0) {
        // The others have their turns first.
        this.#waiting.delete(projectId)
        this.#waiting.set(projectId, own)
      }
      this.#underWay.set(projectId, (this.#underWay.get(projectId) ?? 0) + 1)
      this.#weight += work.weight
      work.start()
    }
  }

  #take(projectId: number, own: Work[], place: number): void {
    own.splice(place, 1)
    if (own.length === 0) this.#waiting.delete(projectId)
    this.#waitingCount -= 1
  }
}
