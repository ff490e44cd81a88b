// Levels of membership (reference/account-api.md §8.6).

export const MEMBER = 1
export const ADMIN = 8
export const OWNER = 15
