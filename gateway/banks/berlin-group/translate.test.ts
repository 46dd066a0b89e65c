/** Shows how orders, statuses, authorisations and consents are translated. */
import { describe, expect, test } from 'vitest'
import { sampleBank, sampleOrder } from '../testing/samples.ts'
import { dialectOf, readDialect } from './dialect.ts'
import {
  authorisationState,
  consentBody,
  consentState,
  heldOrder,
  needsNoSigning,
  observe,
  orderBody,
} from './translate.ts'

const dialect = dialectOf(sampleBank().profile)

describe('an order', () => {
  test('becomes the body of the Norwegian product', () => {
    expect(orderBody(sampleOrder({ purposeCode: 'SUPP' }), dialect)).toEqual({
      debtorAccount: { bban: '80501100017' },
      instructedAmount: { currency: 'NOK', amount: '1250.00' },
      creditorAccount: { bban: '80501200011' },
      creditorName: 'Granli Trelast AS',
      remittanceInformationUnstructured: 'Faktura 4711',
      requestedExecutionDate: '2026-12-01',
      purposeCode: 'SUPP',
    })
  })

  test('carries a KID as one structured reference of type SCOR, and no message', () => {
    const body = orderBody(sampleOrder({ remittance: { type: 'ocr', value: '2345676' } }), dialect)
    expect(body).toMatchObject({
      remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }],
    })
    expect(body).not.toHaveProperty('remittanceInformationUnstructured')
  })

  test('may say nothing to the receiver', () => {
    expect(Object.keys(orderBody(sampleOrder({ remittance: null }), dialect)).join()).not.toContain('remittance')
  })

  test('carries what only some banks take where the dialect says so', () => {
    const other = readDialect({
      ...dialect,
      endToEndIdentification: true,
      message: 'remittanceInformationUnstructuredArray',
      structuredReference: 'remittanceInformationStructured',
      debtorReference: 'debtorAccountStatementText',
    })
    const message = { type: 'message', value: 'Faktura', debtorReference: 'bilag 7' } as const
    expect(orderBody(sampleOrder({ remittance: message }), other)).toMatchObject({
      endToEndIdentification: 'invoice-4711',
      remittanceInformationUnstructuredArray: ['Faktura'],
      debtorAccountStatementText: 'bilag 7',
    })
    expect(orderBody(sampleOrder({ remittance: { type: 'ocr', value: '2345676' } }), other)).toMatchObject({
      remittanceInformationStructured: { reference: '2345676', referenceType: 'SCOR' },
    })
  })
})

describe('an order that the bank holds', () => {
  test('is told by domestic numbers, also where the bank writes IBANs', () => {
    const debtorAccount = { iban: 'NO9386011117947' }
    const instructedAmount = { currency: 'NOK', amount: '10.5' }
    expect(heldOrder({ debtorAccount, creditorAccount: { bban: '32074068323' }, instructedAmount })).toEqual({
      debtorBban: '86011117947',
      creditorBban: '32074068323',
      amount: { minor: 1_050n, currency: 'NOK' },
    })
  })

  test('may be told in part', () => {
    const creditorAccount = { iban: 'NO9386011117948' }
    expect(heldOrder({ creditorAccount })).toEqual({ debtorBban: null, creditorBban: null, amount: null })
  })
})

describe('a consent', () => {
  const terms = { requestId: 'r', validUntil: Temporal.PlainDate.from('2027-05-20') }

  test('leaves the choice of accounts to the user where the bank offers it', () => {
    expect(consentBody(terms, dialect)).toEqual({
      access: { accounts: [], balances: [], transactions: [], additionalInformation: { ownerName: [] } },
      recurringIndicator: true,
      validUntil: '2027-05-20',
      frequencyPerDay: 4,
      combinedServiceIndicator: false,
    })
  })

  test('asks for all accounts where the bank offers no choice', () => {
    const all = { ...dialect, consentAccess: 'all-accounts' } as const
    expect(consentBody(terms, all)).toMatchObject({ access: { allPsd2: 'allAccountsWithOwnerName' } })
    expect(consentBody(terms, { ...all, askOwnerName: false })).toMatchObject({ access: { allPsd2: 'allAccounts' } })
  })

  test.each([
    ['received', 'pending'],
    ['partiallyAuthorised', 'pending'],
    ['valid', 'valid'],
    ['rejected', 'rejected'],
    ['revokedByPsu', 'revoked'],
    ['terminatedByTpp', 'revoked'],
    ['expired', 'expired'],
  ])('that is %s at the bank is %s', (consentStatus, state) => {
    expect(consentState({ consentStatus, validUntil: '2027-05-20' })).toEqual({
      state,
      validUntil: Temporal.PlainDate.from('2027-05-20'),
      bankStatus: consentStatus,
    })
  })

  test('with a word of the bank’s own is nothing that we know', () => {
    expect(consentState({ consentStatus: 'suspended' })).toBeUndefined()
  })

  test.each([undefined, 'soon', '2027-02-30T00:00', '2027-13-01'])('with %s as its end has none', (validUntil) => {
    const answer = validUntil === undefined ? {} : { validUntil }
    expect(consentState({ consentStatus: 'valid', ...answer })?.validUntil).toBeNull()
  })
})

describe('the status of a payment', () => {
  test.each(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'])('%s depends on whether it is signed', (word) => {
    expect(observe({ transactionStatus: word }, false)).toMatchObject({ status: 'Unsigned', bankStatus: word })
    expect(observe({ transactionStatus: word }, true)).toMatchObject({ status: 'InProgress', bankStatus: word })
  })

  test.each([
    ['ACSP', 'InProgress'],
    ['ACWP', 'InProgress'],
    ['ACSC', 'Completed'],
    ['ACCC', 'Completed'],
    ['RJCT', 'Rejected'],
    ['CANC', 'Cancelled'],
  ])('%s is %s whether or not we know it to be signed', (word, status) => {
    for (const signed of [true, false]) {
      expect(observe({ transactionStatus: word }, signed)).toEqual({
        status,
        statusReason: null,
        statusReasonText: null,
        bankStatus: word,
      })
    }
  })

  test('PATC waits for a second signature', () => {
    expect(observe({ transactionStatus: 'PATC' }, false)).toMatchObject({
      status: 'CustomerActionRequired',
      statusReason: 'PartlySigned',
    })
  })

  test.each(['ACTC', 'ACSP'])('%s without funds, once signed, waits for them', (word) => {
    const waiting = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }
    expect(observe({ transactionStatus: word, fundsAvailable: false }, true)).toMatchObject(waiting)
    const message = { code: 'FUNDS_NOT_AVAILABLE', category: 'WARNING', text: 'No cover' }
    expect(observe({ transactionStatus: word, tppMessages: [message] }, true)).toMatchObject(waiting)
    expect(observe({ transactionStatus: word, tppMessage: message }, true)).toMatchObject(waiting)
  })

  test('without funds, unsigned, is Unsigned still', () => {
    expect(observe({ transactionStatus: 'ACTC', fundsAvailable: false }, false).status).toBe('Unsigned')
  })

  test('RJCT for lack of funds says so, with the bank’s redacted text', () => {
    const answer = { transactionStatus: 'RJCT', fundsAvailable: false, psuMessage: 'No cover on 86011117947' }
    expect(observe(answer, true)).toEqual({
      status: 'Rejected',
      statusReason: 'InsufficientFunds',
      statusReasonText: 'No cover on …',
      bankStatus: 'RJCT',
    })
  })

  test.each(['PART', 'WAIT', '', '__proto__', 'constructor'])('%j leaves the status as it was', (word) => {
    expect(observe({ transactionStatus: word }, true)).toMatchObject({ status: null, statusReason: null })
  })
})

describe('an order just taken', () => {
  test('needs no signing when the bank has checked it and offers none', () => {
    expect(needsNoSigning('ACTC', undefined)).toBe(true)
    expect(needsNoSigning('ACSP', {})).toBe(true)
  })

  test('may need signing while the bank has only received it', () => {
    expect(needsNoSigning('RCVD', undefined)).toBe(false)
    expect(needsNoSigning('PDNG', {})).toBe(false)
  })

  test.each(['startAuthorisation', 'startAuthorisationWithPsuIdentification', 'scaRedirect', 'scaOAuth'])(
    'needs signing when the bank offers %s',
    (link) => {
      expect(needsNoSigning('ACTC', { [link]: { href: '/x' } })).toBe(false)
    },
  )
})

describe('an authorisation', () => {
  test.each([
    ['received', 'open'],
    ['psuIdentified', 'open'],
    ['psuAuthenticated', 'open'],
    ['scaMethodSelected', 'open'],
    ['started', 'open'],
    ['unconfirmed', 'open'],
    ['authenticationStarted', 'open'],
    ['finalised', 'signed'],
    ['exempted', 'exempt'],
    ['failed', 'refused'],
    ['constructor', 'open'],
  ])('that is %s at the bank is %s', (scaStatus, state) => {
    expect(authorisationState({ scaStatus }, dialect)).toEqual({ state, scaStatus, text: null })
  })

  test.each(['The user cancelled', 'Brukeren avbrøt', 'The link expired'])('that failed with %j was left', (text) => {
    expect(authorisationState({ scaStatus: 'failed', psuMessage: text }, dialect).state).toBe('cancelled')
    expect(authorisationState({ scaStatus: 'failed', tppMessages: [{ text }] }, dialect).state).toBe('cancelled')
  })

  test('that succeeded is signed, whatever the text says', () => {
    expect(authorisationState({ scaStatus: 'finalised', psuMessage: 'cancel later' }, dialect).state).toBe('signed')
  })
})
