export interface QueueLimits {
  /** Maximum total weight of running work. Heavier work runs alone. */
  weight: number
  /** Maximum work of an organization that runs at the same time. */
  perOrganization: number
  /** Maximum work that waits. */
  waiting: number
  waitingPerOrganization: number
}

export interface Work {
  organizationId: string
  weight: number
  /** Starts the work. It is called at most once. */
  start(): void
}

/**
 * A round-robin queue of organizations, because one has as many projects as it creates. Organizations at their limit are skipped. When work does not fit yet, nothing overtakes it, so that light
 * work cannot starve it.
 */
export class FairQueue {
  /** The number of running pieces of work by organization. */
  readonly #underWay = new Map<string, number>()
  /** Waiting work by organization. The first organization is the next one to start. */
  readonly #waiting = new Map<string, Work[]>()
  #weight = 0
  #waitingCount = 0

  constructor(readonly limits: QueueLimits) {}

  /** Starts or queues work. @returns false when the queue is full */
  add(work: Work): boolean {
    const own = this.#waiting.get(work.organizationId) ?? []
    const { waiting, waitingPerOrganization } = this.limits
    if (own.length >= waitingPerOrganization || this.#waitingCount >= waiting) return false
    own.push(work)
    this.#waiting.set(work.organizationId, own)
    this.#waitingCount += 1
    this.#startNext()
    return true
  }

  /** Removes waiting work. @returns false when it has been started */
  remove(work: Work): boolean {
    const own = this.#waiting.get(work.organizationId)
    const place = own?.indexOf(work) ?? -1
    if (!own || place < 0) return false
    this.#take(work.organizationId, own, place)
    this.#startNext()
    return true
  }

  end({ organizationId, weight }: Work): void {
    const left = (this.#underWay.get(organizationId) ?? 1) - 1
    if (left > 0) this.#underWay.set(organizationId, left)
    else this.#underWay.delete(organizationId)
    this.#weight -= weight
    this.#startNext()
  }

  isBusy(organizationId: string): boolean {
    return (this.#underWay.get(organizationId) ?? 0) >= this.limits.perOrganization
  }

  #startNext(): void {
    for (const [organizationId, own] of this.#waiting) {
      if (this.isBusy(organizationId)) continue
      const [work] = own
      if (!work || (this.#underWay.size > 0 && this.#weight + work.weight > this.limits.weight)) return
      this.#take(organizationId, own, 0)
      if (own.length > 0) {
        // The organization moves behind the others.
        this.#waiting.delete(organizationId)
        this.#waiting.set(organizationId, own)
      }
      this.#underWay.set(organizationId, (this.#underWay.get(organizationId) ?? 0) + 1)
      this.#weight += work.weight
      work.start()
    }
  }

  #take(organizationId: string, own: Work[], place: number): void {
    own.splice(place, 1)
    if (own.length === 0) this.#waiting.delete(organizationId)
    this.#waitingCount -= 1
  }
}
