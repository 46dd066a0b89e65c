/** Tests the transitions of a consent, when it is usable, and when its partner is warned of its end. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConsentStatus } from '../../contract/consents.ts'
import { consentTransitions, hasEnded, isInForce, nextConsentRefresh, noticesOf } from './consent.ts'

const ACCEPTED_AT = Temporal.Instant.from('2026-03-01T09:00:00Z')
const VALID_UNTIL = Temporal.Instant.from('2026-08-28T22:00:00Z')
const EXPIRING_AT = Temporal.Instant.from('2026-08-21T22:00:00Z')

const consent = (status: ConsentStatus) => ({ status, updatedAt: ACCEPTED_AT, validUntil: VALID_UNTIL })
const statuses = Object.keys(consentTransitions) as ConsentStatus[]

describe('the statuses', () => {
  test('lead to an end in two transitions, and never back', () => {
    for (const first of consentTransitions.AUTHORIZATION_REQUIRED) {
      const ends = hasEnded({ status: first }) ? [first] : consentTransitions[first]
      expect(ends.map((status) => hasEnded({ status }))).toEqual(ends.map(() => true))
    }
    expect(statuses.filter((status) => consentTransitions[status].includes('AUTHORIZATION_REQUIRED'))).toEqual([])
  })

  test.each(statuses)('%s is usable only when it was accepted, and only until it expires', (status) => {
    expect(isInForce(consent(status), VALID_UNTIL.subtract({ milliseconds: 1 }))).toBe(status === 'ACCEPTED')
    expect(isInForce(consent(status), VALID_UNTIL)).toBe(false)
  })
})

describe('the warning that a consent ends soon', () => {
  const noticed = (status: ConsentStatus, now: Temporal.Instant) => noticesOf(consent(status), now).length

  test('starts seven days before, to the millisecond, and contains that time', () => {
    expect(noticesOf(consent('ACCEPTED'), EXPIRING_AT.subtract({ milliseconds: 1 }))).toEqual([])
    expect(noticesOf(consent('ACCEPTED'), EXPIRING_AT)).toEqual([{ code: 'CONSENT_EXPIRING', since: EXPIRING_AT }])
  })

  test('starts with the consent where that is valid for less', () => {
    const short = { ...consent('ACCEPTED'), updatedAt: EXPIRING_AT.add({ hours: 5 }) }
    expect(noticesOf(short, short.updatedAt)).toEqual([{ code: 'CONSENT_EXPIRING', since: short.updatedAt }])
  })

  test('is present at every moment of the last week of an accepted consent, and at no other', () => {
    const anyTime = fc.integer({ min: -30 * 86_400, max: 10 * 86_400 })
    fc.assert(
      fc.property(fc.constantFrom(...statuses), anyTime, (status, seconds) => {
        const isLastWeek = seconds >= -7 * 86_400 && seconds < 0
        expect(noticed(status, VALID_UNTIL.add({ seconds }))).toBe(status === 'ACCEPTED' && isLastWeek ? 1 : 0)
      }),
    )
  })
})

test('each accepted consent is polled once a day at its bank', () => {
  expect(nextConsentRefresh(ACCEPTED_AT).since(ACCEPTED_AT).total('hours')).toBe(24)
})
