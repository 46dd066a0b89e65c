/** Normalises every field of a request's body: null counts as absent, texts are in NFC, BICs in capital letters. */
import { plainCode } from '../copied-text.ts'

/** Fields that are visited between two yields to the event loop. */
const MEMBERS_PER_STEP = 500

/** A text without characters from the first combining one on is in NFC. */
const MAY_BE_DECOMPOSED = /[\u0300-\uffff]/
/** Has one form in every country, unlike the other identifiers that are copied. */
const BIC = 'bic'
/** Of ids and URLs every character counts; an endToEndId is returned as it was sent. */
const IS_IDENTIFIER = /(?:Id|Url)$/

/** Changes the value itself; elements of lists stay, also those that are null. Yields to the event loop. */
export function* normaliseBody(value: unknown): Generator<void, void> {
  if (typeof value === 'object' && value !== null) {
    yield* normaliseIn(value, { count: 0 })
  }
}

/** Depth first: a list of the values still to be visited would be as long as the body, and slow to grow. */
function* normaliseIn(container: object, visited: { count: number }): Generator<void, void> {
  const names = Array.isArray(container) ? undefined : Object.keys(container)
  const count = names?.length ?? Object(container).length
  for (let index = 0; index < count; index += 1) {
    const name = names?.[index]
    const member: unknown = Reflect.get(container, name ?? index)
    if (typeof member === 'object' && member !== null) {
      yield* normaliseIn(member, visited)
    } else if (member === null && name !== undefined) {
      Reflect.deleteProperty(container, name)
    } else if (typeof member === 'string' && name === BIC) {
      setMember(container, name, plainCode(member))
    } else if (typeof member === 'string' && MAY_BE_DECOMPOSED.test(member) && !IS_IDENTIFIER.test(name ?? '')) {
      setMember(container, name ?? index, member.normalize('NFC'))
    }
    visited.count += 1
    if (visited.count % MEMBERS_PER_STEP === 0) {
      yield
    }
  }
}

/** A member may be named like the object's prototype. */
function setMember(container: object, name: string | number, value: string): void {
  Object.defineProperty(container, name, { value, configurable: true, enumerable: true, writable: true })
}
