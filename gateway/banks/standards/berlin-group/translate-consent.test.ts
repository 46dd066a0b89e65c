/** Shows the body of a consent request, and the meaning of the statuses of consents. */
import { describe, expect, test } from 'vitest'
import { sampleBank } from '../../testing/samples.ts'
import { dialectOf } from './dialect.ts'
import { consentBody, consentState } from './translate-consent.ts'

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
    expect(consentState({ consentStatus, validUntil: '2027-05-20' })).toEqual({
      state,
      validUntil: Temporal.PlainDate.from('2027-05-20'),
      bankStatus: consentStatus,
    })
  })

  test('with an unknown status of the bank’s own is unknown', () => {
    expect(consentState({ consentStatus: 'suspended' })).toBeUndefined()
  })

  test.each([undefined, 'soon', '2027-02-30T00:00', '2027-13-01', '2027-02-30', '2027-02-29', '2027-04-31'])(
    'with %s as its end date has none',
    (validUntil) => {
      const answer = validUntil === undefined ? {} : { validUntil }
      expect(consentState({ consentStatus: 'valid', ...answer })?.validUntil).toBeNull()
    },
  )
})
