/** Shows the body of a consent request, and the meaning of the statuses of consents. */
import { describe, expect, test } from 'vitest'
import { sampleBank } from '../../testing/samples.ts'
import { dialectOf } from './dialect.ts'
import { consentBody, consentStates } from './translate-consent.ts'
import { dateOf } from './wire.ts'

const dialect = dialectOf(sampleBank().profile)

describe('a consent', () => {
  const terms = { requestId: 'r', validUntil: Temporal.PlainDate.from('2027-05-20') }

  test('leaves the selection of accounts to the user where the bank offers it', () => {
    expect(consentBody(terms, dialect)).toEqual({
      access: { accounts: [], balances: [], transactions: [], additionalInformation: { ownerName: [] } },
      recurringIndicator: true,
      validUntil: '2027-05-20',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    })
  })

  test('requests all accounts where the bank offers no selection', () => {
    const all = { ...dialect, consentAccess: 'all-accounts' } as const
    expect(consentBody(terms, all)).toMatchObject({ access: { allPsd2: 'allAccountsWithOwnerName' } })
    expect(consentBody(terms, { ...all, askOwnerName: false })).toMatchObject({ access: { allPsd2: 'allAccounts' } })
  })

  test.each([
    ['received', 'pending'],
    ['partiallyAuthorised', 'pending'],
    ['valid', 'valid'],
    ['rejected', 'rejected'],
    ['revokedByPsu', 'revoked-by-user'],
    ['terminatedByTpp', 'revoked'],
    ['expired', 'expired'],
  ])('that is %s at the bank is %s', (consentStatus, state) => {
    expect(consentStates.get(consentStatus)).toBe(state)
  })

  test('with an unknown status of the bank’s own is unknown', () => {
    expect(consentStates.get('suspended')).toBeUndefined()
  })
})

test.each([
  ['2027-05-20', '2027-05-20'],
  // With a zone, as in XML.
  ['2027-05-20Z', '2027-05-20'],
  ['2027-05-20+02:00', '2027-05-20'],
  // As a time: the last three are midnights in Oslo.
  ['2027-05-20T00:00:00', '2027-05-20'],
  ['2027-05-20T00:00:00.000Z', '2027-05-20'],
  ['2027-05-20T00:00:00+02:00', '2027-05-20'],
  ['2027-05-19T22:00:00Z', '2027-05-20'],
  ['2027-05-20T00:00:00+0200', '2027-05-20'],
  ...[undefined, 'soon', '2027-02-30T00:00', '2027-13-01', '2027-02-30', '2027-02-29', '2027-04-31Z'].map(
    (text) => [text, undefined] as const,
  ),
] as const)('%s is the day %s', (text, day) => {
  expect(dateOf(text, 'Europe/Oslo')?.toString()).toBe(day)
})
