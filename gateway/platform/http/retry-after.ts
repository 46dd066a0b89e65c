/** Reads `Retry-After` of a response (RFC 9110, 10.2.3): seconds, or an HTTP date. */
import { wallMilliseconds } from '../clock.ts'

/** How long to wait, null where the header is absent, unreadable or a date that has passed; and what is wrong with it. */
export type RetryAfter = {
  readonly seconds: number | null
  readonly fault: 'unreadable' | 'longer than a day' | null
}

/** Longer waits are cut: what they are about would be forgotten, and few senders mean them. */
export const RETRY_AFTER_SECONDS_MAX = 86_400

/** Headers that occur several times are joined. Some senders add a fraction. */
const SECONDS = /^\d+(?:\.\d+)?(?:\s*,\s*\d+(?:\.\d+)?)*$/
/** The three forms of an HTTP date: that of today, and the two obsolete ones; the last has no zone, and is in UTC. */
const DATE =
  /^(?:\w{3}, \d{1,2} \w{3} \d{4} [\d:]{8} (?:GMT|UTC|[+-]\d{4})|\w{6,9}, \d{1,2}-\w{3}-\d{2} [\d:]{8} GMT|\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})$/
const HAS_ZONE = /(?:GMT|UTC|[+-]\d{4})$/

/** The response's own `Date` is the present for its dates: clocks differ. */
export function readRetryAfter(headers: Readonly<Record<string, string>>): RetryAfter {
  const text = headers['retry-after']?.trim() ?? ''
  if (text === '') {
    return { seconds: null, fault: null }
  }
  const isDate = !SECONDS.test(text)
  const seconds = isDate ? secondsUntil(text, headers['date']) : Math.max(...text.split(',').map(Number))
  if (Number.isNaN(seconds)) {
    return { seconds: null, fault: 'unreadable' }
  }
  if (isDate && seconds <= 0) {
    return { seconds: null, fault: null }
  }
  return seconds > RETRY_AFTER_SECONDS_MAX
    ? { seconds: RETRY_AFTER_SECONDS_MAX, fault: 'longer than a day' }
    : { seconds: Math.ceil(seconds), fault: null }
}

function secondsUntil(text: string, date: string | undefined): number {
  const present = millisecondsOf(date ?? '')
  return (millisecondsOf(text) - (Number.isNaN(present) ? wallMilliseconds() : present)) / 1_000
}

function millisecondsOf(text: string): number {
  return DATE.test(text) ? Date.parse(HAS_ZONE.test(text) ? text : `${text} GMT`) : Number.NaN
}
