/** Drops members that are null from a request's body: null counts as absent, for every member of every request. */

/** Containers whose members are looked at between two chances for others. */
const MEMBERS_PER_STEP = 500

/** Changes the value itself; elements of lists stay. Yields where others may have their turn. */
export function* dropNullMembers(value: unknown): Generator<void, void> {
  const waiting = typeof value === 'object' && value !== null ? [value] : []
  let looked = 0
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    for (const [name, member] of membersOf(container)) {
      if (typeof member === 'object' && member !== null) {
        waiting.push(member)
      } else if (member === null && name !== undefined) {
        Reflect.deleteProperty(Object(container), name)
      }
      looked += 1
      if (looked % MEMBERS_PER_STEP === 0) {
        yield
      }
    }
  }
}

function* membersOf(container: unknown): Generator<readonly [name: string | undefined, member: unknown]> {
  if (Array.isArray(container)) {
    for (const element of container) {
      yield [undefined, element]
    }
  } else {
    yield* Object.entries(Object(container))
  }
}
