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

/** Leases of builds of materialized rows. */
export interface BuildCalls {
  /** Leases a version to a build of its rows, or renews the lease; false while another build has it. */
  claimBuild(claim: BuildClaim): Promise<boolean>
  /** Releases the lease of a build that has ended. */
  releaseBuild(claim: Pick<BuildClaim, 'projectId' | 'versionId' | 'token'>): Promise<void>
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
