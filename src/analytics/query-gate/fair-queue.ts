export interface QueueLimits {
  /** Maximum total weight of running work. Heavier work runs alone. */
  weight: number
  /** Maximum work of a project that runs at the same time. */
  perProject: number
  /** Maximum work that waits. */
  waiting: number
  waitingPerProject: number
}

export interface Work {
  projectId: number
  weight: number
  /** Starts the work. It is called at most once. */
  start(): void
}

/**
 * A round-robin queue of projects. Projects at their limit are skipped. When work does not fit yet, nothing overtakes it, so that light
 * work cannot starve it.
 */
export class FairQueue {
  /** The number of running pieces of work by project. */
  readonly #underWay = new Map<number, number>()
  /** Waiting work by project. The first project is the next one to start. */
  readonly #waiting = new Map<number, Work[]>()
  #weight = 0
  #waitingCount = 0

  constructor(readonly limits: QueueLimits) {}

  /** Starts or queues work. @returns false when the queue is full */
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

  /** Removes waiting work. @returns false when it has been started */
  remove(work: Work): boolean {
    const own = this.#waiting.get(work.projectId)
    const place = own?.indexOf(work) ?? -1
    if (!own || place < 0) return false
    this.#take(work.projectId, own, place)
    this.#startNext()
    return true
  }

  end({ projectId, weight }: Work): void {
    const left = (this.#underWay.get(projectId) ?? 1) - 1
    if (left > 0) this.#underWay.set(projectId, left)
    else this.#underWay.delete(projectId)
    this.#weight -= weight
    this.#startNext()
  }

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
        // The project moves behind the others.
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
