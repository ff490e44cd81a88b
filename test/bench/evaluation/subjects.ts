// The people of the evaluations. They are so many that no engine can return cached results.

export interface Person {
  readonly id: string
  readonly plan: string
  readonly country: string
  readonly email: string
  readonly age: number
  readonly status: string
}

/** This is a power of two, so that an index wraps with a mask. */
const PEOPLE = 1 << 14

/** Returns a value as JSON parses it, because every engine reads concatenated texts more slowly. */
const fromRequest = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** Three in four satisfy all five conditions; the others fail one of them each, so that all five get checked. */
const people: readonly Person[] = Array.from({ length: PEOPLE }, (_, index) => {
  const fails = index % 20
  return {
    id: `user-${index * 7919}`,
    plan: fails === 15 ? 'free' : 'pro',
    country: fails === 16 ? 'fr' : (['de', 'at', 'ch'][index % 3] ?? 'de'),
    email: `person${index}@${fails === 17 ? 'elsewhere.org' : 'example.com'}`,
    age: fails === 18 ? 12 : 18 + (index % 60),
    status: fails === 19 ? 'blocked' : 'active',
  }
})

/** Builds an engine's form of each person before the measurement. */
export const contexts = <T>(make: (person: Person) => T): ((index: number) => T) => {
  const made = people.map((person) => make(fromRequest(person)))
  return (index) => made[index & (PEOPLE - 1)]!
}
