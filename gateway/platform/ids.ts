/** Generates identifiers: UUIDv7 for rows and requests, UUIDv4 for requests to banks, and random tokens. */
import { hash, randomBytes, randomUUID } from 'node:crypto'
import { wallMilliseconds } from './clock.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The 12 bits behind the time are a counter within a millisecond, so that the ids of one process are in order. */
const COUNTER_MAX = 0xfff
let latest = { milliseconds: 0, counter: 0 }
/** Where the last 64 bits of a UUID begin. */
const RANDOM_PART = 19

/**
 * A UUID version 7 (RFC 9562): 48 bits of wall time in milliseconds, a counter of 12 bits, 62 random bits. The random
 * part, with its variant, is that of a version 4, for which Node keeps random bytes at hand.
 */
export function newId(): string {
  const now = wallMilliseconds()
  if (now > latest.milliseconds) {
    latest = { milliseconds: now, counter: 0 }
  } else if (latest.counter < COUNTER_MAX) {
    latest.counter += 1
  } else {
    // Also where the wall clock was set back, the timestamp runs ahead rather than breaking the order.
    latest = { milliseconds: latest.milliseconds + 1, counter: 0 }
  }
  const time = latest.milliseconds.toString(16).padStart(12, '0')
  const counter = latest.counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${randomUUID().slice(RANDOM_PART)}`
}

/**
 * An id for what happens to something, the same for the same facts: a UUID version 7 with the time of the subject's id,
 * and a digest of the facts in place of random bits.
 */
export function derivedId(subjectId: string, facts: readonly (string | number)[]): string {
  const hex = hash('sha256', JSON.stringify([subjectId, ...facts]))
  return `${subjectId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

/** A UUID version 4, for `X-Request-ID`: many banks validate by RFC 4122, which defines versions 1 to 5 only. */
export function newBankRequestId(): string {
  return randomUUID()
}

/** The least id that could be generated at an instant or later; ids have no time before 1970. */
export function lowestIdAt(at: Temporal.Instant): string {
  const hex = Math.max(0, at.epochMilliseconds).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Whether a text is a UUID of any version. */
export function isId(text: string): boolean {
  return UUID.test(text)
}

/** A bearer token for links and secrets: 256 random bits in base64url, 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256 of a token in base64url; random tokens need no slower hash to be stored safely. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'base64url')
}
