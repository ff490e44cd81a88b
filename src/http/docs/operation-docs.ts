// Documents operations and schemas. The module that declares the schema `X` or the operation `xOperation` exports it as the function
// `XDocs` or `xDocs`. The Worker never calls these functions, so that the bundler drops them; src/docs/collect.ts finds them by name.
import type * as z from 'zod'
import type { ApiError } from '../../errors'

export interface SchemaDocs {
  /** One or two sentences that describe the schema. */
  description: string
  /**
   * One sentence for each field: its meaning, its unit, and its default if the schema has none. A path names a nested field, without the
   * lists, maps and unions in between: `columns.name`.
   */
  fields?: Readonly<Record<string, string>>
  example?: unknown
}

export type ParameterDocs = string | { description: string; example: unknown }

export interface ToolDocs {
  /** The tool's name, if clients of upstream know it under another name than the operation's. */
  name?: string
  /** Whether the operation has no tool: another tool, or a saved query, does the same, or it is made for people. */
  isDuplicate?: true
  /** The name of a tool that describes most of the fields, so that this one does not. */
  fieldsAs?: string
  /** Fields whose members another tool describes, with that tool's name. */
  membersAs?: Readonly<Record<string, string>>
  /** The fields that each row of `results` keeps; by default all. */
  rowFields?: readonly string[]
  /** The hint of a 404. */
  notFound?: string
  /** Whether the tool only adds; by default, whether it responds with 201. */
  isAdditive?: boolean
  /** For an operation that rejects keys: the tool calls another operation, with these members of its body. */
  instead?: { operation: string; fixed: Readonly<Record<string, unknown>>; description: string }
  /** What the tool leaves out: the body, which the operation ignores, or fields of it that no model needs. */
  omits?: 'body' | readonly string[]
  /** Whether the tool calls a service beyond this one. */
  isOpenWorld?: true
}

/**
 * Documents a list of operations `x`, as `xDocs` next to it. The first pattern that matches an operation's path (`:id` for parameters)
 * applies.
 */
export interface GroupDocs {
  /** Tags of the OpenAPI document that split the list; operations without one have the tag of their area. */
  tags?: readonly (readonly [paths: RegExp, tag: TagDocs])[]
}

export interface TagDocs {
  name: string
  /** The description. It is absent if another list has it. */
  description?: string
}

/** The documentation of an operation, besides its literal and its schemas. */
export interface OperationDocs {
  /** Parameters by name, in the path or in the query. */
  parameters?: Readonly<Record<string, ParameterDocs>>
  body?: Partial<SchemaDocs> & {
    /** Set when the schema cannot express it: one of several fields is required. */
    isRequired?: true
    /** The schema of a body that the operation itself validates. */
    schema?: z.ZodType
  }
  /** The successful response. */
  response?: Partial<SchemaDocs> & {
    /** The media type, which is JSON by default. */
    mediaType?: string
  }
  /** Errors by status and cause. They replace those that all operations share. */
  errors?: Readonly<Record<number, OperationErrors>>
  /** The limit of attempts to enter a secret, for each user. */
  attemptLimit?: { what: string; attempts: number; seconds: number }
  /** Why a call is a 429, if its limits do not say so. */
  tooOften?: string
  tool?: ToolDocs
  /** What the code samples need besides the call itself. */
  sample?: SampleDocs
}

/**
 * The credentials of a sample: an API key, the project's token, none, the session in `$JAR`, or that of a user whom the sample creates.
 */
export type SampleCaller = 'key' | 'token' | 'anonymous' | 'session' | 'newUser'

/** What the sample of an operation needs besides its literal. `$NAME` in it is a value that the setup of the samples can get. */
export interface SampleDocs {
  /** Names of the setup (src/docs/samples/setup.ts) that no variable implies. */
  needs?: readonly string[]
  /** Parameters of the path that do not follow from it. */
  path?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
  /** Replaces the document's example. */
  body?: unknown
  /** Fields that override those of the document's example or of `body`. */
  into?: Readonly<Record<string, unknown>>
  as?: SampleCaller
}

export type OperationErrors = Readonly<Record<string, ApiError>>
