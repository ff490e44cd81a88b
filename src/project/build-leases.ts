// At most one build of a materialized version at a time. Uses only the object's storage, where calls do not interleave.

const PREFIX = 'build:'

export interface BuildClaim {
  projectId: number
  versionId: string
  /** Names the build, from its first claim to its release. */
  token: string
  /** Epoch milliseconds: the caller's clock, and the expiry. */
  now: number
  until: number
}

interface Lease {
  token: string
  until: number
}

export class BuildLeases {
  constructor(private readonly storage: DurableObjectStorage) {}

  /** Leases the version, or renews the lease. False while another build has it. */
  async claim({ versionId, token, now, until }: BuildClaim): Promise<boolean> {
    const lease = await this.storage.get<Lease>(PREFIX + versionId)
    if (lease && lease.token !== token && lease.until > now) return false
    await this.storage.put<Lease>(PREFIX + versionId, { token, until })
    return true
  }

  async release({ versionId, token }: Pick<BuildClaim, 'versionId' | 'token'>): Promise<void> {
    const lease = await this.storage.get<Lease>(PREFIX + versionId)
    if (lease?.token === token) await this.storage.delete(PREFIX + versionId)
  }
}
