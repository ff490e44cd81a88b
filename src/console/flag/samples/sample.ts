// Defines the input of code samples. The functions are pure.

export interface SampleInput {
  key: string
  token: string
  /** The origin of the service. */
  host: string
  projectId: number
  variants?: readonly string[]
  isConfig?: boolean
  /** Whether only a key may read the value. */
  isEncrypted?: boolean
  /** The names of the group types that its condition sets are about. */
  groupTypes?: readonly string[]
  contexts?: readonly string[]
  runtime?: 'all' | 'client' | 'server' | null
}

export interface Sample {
  name: string
  install?: string
  code: string
}

/** Returns the variant that the code compares with. */
export const lastVariant = ({ variants = [] }: SampleInput): string | undefined => variants.at(-1)

/** Returns a placeholder key of a group of each type. */
export const groupsOf = ({ groupTypes = [] }: SampleInput): (readonly [type: string, key: string])[] =>
  groupTypes.map((type) => [type, `key-of-the-${type}`] as const)

/** Returns a list of texts in JavaScript. */
export const listOf = (texts: readonly string[]) => `[${texts.map((text) => `'${text}'`).join(', ')}]`
