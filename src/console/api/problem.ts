// Describes a failed request, in the form in which pages show it.

interface ErrorBody {
  detail?: unknown
  error?: unknown
  code?: unknown
  attr?: unknown
  change_request_id?: unknown
}

export class Problem extends Error {
  override readonly name = 'Problem'

  /**
   * @param status of HTTP; 0 without a response
   * @param attr path of the invalid field, joined with `__`
   * @param changeRequestId of the request that waits for approval in place of the change
   */
  constructor(
    message: string,
    readonly status: number,
    readonly code: string | null = null,
    readonly attr: string | null = null,
    readonly changeRequestId: string | null = null,
  ) {
    super(message)
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const FALLBACKS: Readonly<Record<number, string>> = {
  403: 'You are not allowed to do this.',
  404: 'This does not exist, or you have no access to it.',
  429: 'Too many requests. Please try again in a moment.',
  503: 'The service is busy. Please try again in a moment.',
}

/** Returns the problem that a response describes. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody
  const message =
    text(body.detail) ??
    text(body.error) ??
    FALLBACKS[response.status] ??
    `The service answered with status ${response.status}.`
  return new Problem(message, response.status, text(body.code), text(body.attr), text(body.change_request_id))
}

export const unreachable = (): Problem =>
  new Problem('The service cannot be reached. Check your connection; nothing you entered is lost.', 0)

/** Thrown for a page whose code cannot be loaded: the network is down, or a newer release has replaced it. */
export class NotLoaded extends Problem {
  constructor() {
    super(
      'The service cannot be reached, or it has a newer release. Check your connection, or reload the page.',
      0,
    )
  }
}

/** Whether a request may succeed as it is: one that is refused as it is does not. */
export const mayRepeat = (error: unknown): boolean => !(error instanceof Problem && error.status === 400)

/** Returns the message that a page shows for anything thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
