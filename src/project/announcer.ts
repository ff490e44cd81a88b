// Announces new generations to the stream objects that have subscribed. Most projects have no streams, so their writes call no such object.
import type { Mark } from '../snapshots/document'
import { announceTo } from '../snapshots/change-stream-client'

const KEY = 'streams'

export class Announcer {
  readonly #storage: DurableObjectStorage
  readonly #env: Pick<Env, 'STREAMS'>
  /** How often each stream object has subscribed, by number of the object. */
  #subscribed: Map<number, number> | undefined
  /** The newest generation that was announced. */
  #announced = 0

  constructor(storage: DurableObjectStorage, env: Pick<Env, 'STREAMS'>) {
    this.#storage = storage
    this.#env = env
  }

  /** @param nth number of the stream object */
  async subscribe(nth: number): Promise<void> {
    const subscribed = await this.#load()
    subscribed.set(nth, (subscribed.get(nth) ?? 0) + 1)
    await this.#save(subscribed)
  }

  /**
   * Announces a generation, unless it or a later one was announced before. An object without streams is not called again until it
   * subscribes.
   * @throws when an object fails; its clients then learn of the next generation
   */
  async announce(projectId: number, mark: Mark): Promise<void> {
    if (mark.generation <= this.#announced) return
    this.#announced = mark.generation
    const subscribed = await this.#load()
    await Promise.all(
      [...subscribed].map(async ([nth, times]) => {
        const hasStreams = await announceTo(this.#env, projectId, nth, mark)
        // The object may have subscribed again since it responded.
        if (hasStreams || subscribed.get(nth) !== times) return
        subscribed.delete(nth)
        await this.#save(subscribed)
      }),
    )
  }

  async #load(): Promise<Map<number, number>> {
    const stored = this.#subscribed ? [] : ((await this.#storage.get<number[]>(KEY)) ?? [])
    return (this.#subscribed ??= new Map(stored.map((nth) => [nth, 1])))
  }

  async #save(subscribed: ReadonlyMap<number, number>): Promise<void> {
    if (subscribed.size > 0) await this.#storage.put(KEY, [...subscribed.keys()])
    else await this.#storage.delete(KEY)
  }
}
