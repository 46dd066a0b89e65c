/** Removes fields that are null from a request's body: null counts as absent, for every field of every request. */

/** Fields that are visited between two yields to the event loop. */
const MEMBERS_PER_STEP = 500

/** Changes the value itself; elements of lists stay. Yields to the event loop. */
export function* dropNullFields(value: unknown): Generator<void, void> {
  if (typeof value === 'object' && value !== null) {
    yield* dropIn(value, { count: 0 })
  }
}

/** Depth first: a list of the values still to be visited would be as long as the body, and slow to grow. */
function* dropIn(container: object, visited: { count: number }): Generator<void, void> {
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const count = names?.length ?? Object(container).length
  for (let index = 0; index < count; index += 1) {
    const name = names?.[index]
    const member: unknown = Reflect.get(container, name ?? index)
    if (typeof member === 'object' && member !== null) {
      yield* dropIn(member, visited)
    } else if (member === null && name !== undefined) {
      Reflect.deleteProperty(container, name)
    }
    visited.count += 1
    if (visited.count % MEMBERS_PER_STEP === 0) {
      yield
    }
  }
}
