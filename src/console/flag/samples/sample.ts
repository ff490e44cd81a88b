// What a sample of code is made from. Pure.

export interface SampleInput {
  key: string
  token: string
  /** Origin of the service. */
  host: string
  projectId: number
  variants?: readonly string[]
  isConfig?: boolean
  /** Whether only a key reads the value. */
  isEncrypted?: boolean
  /** Names of the group types that its condition sets are about. */
  groupTypes?: readonly string[]
  contexts?: readonly string[]
  runtime?: 'all' | 'client' | 'server' | null
}

export interface Sample {
  name: string
  install?: string
  code: string
}

/** Of the variants, the one that the code asks for. */
export const lastVariant = ({ variants = [] }: SampleInput): string | undefined => variants.at(-1)

/** The key of a group of each type, as a person fills it in. */
export const groupsOf = ({ groupTypes = [] }: SampleInput): (readonly [type: string, key: string])[] =>
  groupTypes.map((type) => [type, `key-of-the-${type}`] as const)
