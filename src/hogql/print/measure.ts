// Measures the text of a statement while it is written. Functions write an argument several times, and nested ones that many times over: text
// that is measured once it is complete may be larger than the memory.

export interface TextMeasure {
  /** Called before a part is written. @returns what `end` takes */
  begin(): number
  /** Called with the text of the part. @throws when the parts that are written and not yet in a larger one are too long together */
  end(before: number, sql: string): string
}

/** @param fail throws the error for a text of more than `maxText` characters. */
export function measureText(maxText: number, fail: () => never): TextMeasure {
  let written = 0
  return {
    begin: () => written,
    end(before, sql) {
      written = before + sql.length
      return written > maxText ? fail() : sql
    },
  }
}
