// Finds the lines in which two texts differ. The functions are pure.

export interface Line {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** The most lines that are compared. Longer texts are shown as a whole. */
const MAX_LINES = 400

/** Returns the shortest way from one text to the other, by their longest common subsequence of lines. */
export function diffLines(before: string, after: string): Line[] {
  const [from, to] = [before.split('\n'), after.split('\n')]
  if (from.length > MAX_LINES || to.length > MAX_LINES)
    return [...from.map((text) => line('removed', text)), ...to.map((text) => line('added', text))]
  // common[i][j] is the number of lines that from[i…] and to[j…] have in common.
  const common = Array.from({ length: from.length + 1 }, () => Array.from({ length: to.length + 1 }, () => 0))
  for (let i = from.length - 1; i >= 0; i -= 1)
    for (let j = to.length - 1; j >= 0; j -= 1)
      common[i]![j] =
        from[i] === to[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < from.length || j < to.length) {
    if (i < from.length && from[i] === to[j]) {
      lines.push(line('same', from[i]!))
      i += 1
      j += 1
    } else if (j === to.length || (i < from.length && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      lines.push(line('removed', from[i]!))
      i += 1
    } else {
      lines.push(line('added', to[j]!))
      j += 1
    }
  }
  return lines
}

const line = (kind: Line['kind'], text: string): Line => ({ kind, text })
