/** Operators that bind tighter have a higher precedence (`columnExpr` in `HogQLParser.g4`). */
export const PRECEDENCE = {
  alias: 1,
  ternary: 2,
  or: 3,
  and: 4,
  not: 5,
  between: 6,
  nullish: 7,
  isDistinct: 8,
  isNull: 9,
  ignoreNulls: 10,
  compare: 11,
  add: 12,
  multiply: 13,
  negate: 14,
} as const
