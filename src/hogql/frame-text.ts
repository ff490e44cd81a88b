// The frames of window functions, which both engines write alike.
import type { FrameBound, Window } from './ir'

/** `ROWS BETWEEN … AND …`. */
export const frameText = ({ unit, start, end }: NonNullable<Window['frame']>): string =>
  `${unit.toUpperCase()} BETWEEN ${boundText(start)} AND ${boundText(end)}`

function boundText(at: FrameBound): string {
  switch (at.kind) {
    case 'unbounded preceding':
    case 'unbounded following':
    case 'current row':
      return at.kind.toUpperCase()
    case 'preceding':
    case 'following':
      return `${Math.trunc(at.count)} ${at.kind.toUpperCase()}`
  }
}
