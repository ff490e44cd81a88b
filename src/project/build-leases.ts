// Which builds of materialized versions are under way: of one version never two. Touches nothing but the object's own storage, where no two
// calls interleave.

const PREFIX = 'build:'

export interface BuildClaim {
  projectId: number
  versionId: string
  /** Names the build, from its first claim to its release. */
  token: string
  /** Epoch milliseconds: the caller's clock, and how long the claim lasts unless it is renewed. */
  now: number
  until: number
}

interface Lease {
  token: string
  until: number
}

export class BuildLeases {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
  }

  /** Gives the version to a build, or lets it have it for longer. False while another build has it. */
  async claim({ versionId, token, now, until }: BuildClaim): Promise<boolean> {
    const lease = await this.#storage.get<Lease>(PREFIX + versionId)
    if (lease && lease.token !== token && lease.until > now) return false
    await this.#storage.put<Lease>(PREFIX + versionId, { token, until })
    return true
  }

  /** Takes the version back from a build that has ended, unless another has taken it over. */
  async release({ versionId, token }: Pick<BuildClaim, 'versionId' | 'token'>): Promise<void> {
    const lease = await this.#storage.get<Lease>(PREFIX + versionId)
    if (lease?.token === token) await this.#storage.delete(PREFIX + versionId)
  }
}
