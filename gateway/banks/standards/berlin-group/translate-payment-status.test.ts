/** Shows the meaning of the statuses of payments and authorisations. */
import { assert, boolean, constantFrom, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sampleBank } from '../../testing/samples.ts'
import { SANDBOX_BICS, sandboxBank } from '../../testing/sandbox-samples.ts'
import {
  basketAuthorisationEnd,
  paymentAuthorisationEnd,
  toAuthorisationState,
} from './authorisations/translate-authorisations.ts'
import { dialectOf } from './dialect.ts'
import { toInitiationObservation, toStatusObservation } from './translate-payment-status.ts'
import type { PaymentCreated } from './wire.ts'

const PLACE = { xs2aUrl: 'http://127.0.0.1:1', pagesUrl: 'http://127.0.0.1:2' }
const dialect = dialectOf(sampleBank().profile)

describe('the status of a payment', () => {
  test.each(['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'])('%s depends on whether the payment is signed', (word) => {
    expect(toStatusObservation({ transactionStatus: word }, false, dialect)).toMatchObject({
      status: 'Unsigned',
      bankStatus: word,
    })
    expect(toStatusObservation({ transactionStatus: word }, true, dialect)).toMatchObject({
      status: 'InProgress',
      bankStatus: word,
    })
  })

  test.each([
    ['ACSP', 'InProgress'],
    ['ACWP', 'InProgress'],
    ['ACSC', 'Completed'],
    ['ACCC', 'Completed'],
    ['RJCT', 'Rejected'],
    ['CANC', 'Cancelled'],
  ])('%s is %s whether or not we know that the payment is signed', (word, status) => {
    for (const signed of [true, false]) {
      expect(toStatusObservation({ transactionStatus: word }, signed, dialect)).toEqual({
        status,
        statusReason: null,
        statusReasonText: null,
        bankStatus: word,
      })
    }
  })

  test('PATC waits for a second signature', () => {
    expect(toStatusObservation({ transactionStatus: 'PATC' }, false, dialect)).toMatchObject({
      status: 'CustomerActionRequired',
      statusReason: 'PartlySigned',
    })
  })

  test.each(['ACTC', 'ACSP'])('%s without funds, once signed, waits for funds', (word) => {
    const waiting = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }
    expect(toStatusObservation({ transactionStatus: word, fundsAvailable: false }, true, dialect)).toMatchObject(
      waiting,
    )
    const message = { code: 'FUNDS_NOT_AVAILABLE', category: 'WARNING', text: 'No cover' }
    expect(toStatusObservation({ transactionStatus: word, tppMessages: [message] }, true, dialect)).toMatchObject(
      waiting,
    )
    expect(toStatusObservation({ transactionStatus: word, tppMessage: message }, true, dialect)).toMatchObject(waiting)
  })

  test('without funds, unsigned, stays Unsigned', () => {
    expect(toStatusObservation({ transactionStatus: 'ACTC', fundsAvailable: false }, false, dialect).status).toBe(
      'Unsigned',
    )
  })

  test('RJCT for lack of funds has that reason, with the bank’s redacted text', () => {
    const answer = { transactionStatus: 'RJCT', fundsAvailable: false, psuMessage: 'No cover on 86011117947' }
    expect(toStatusObservation(answer, true, dialect)).toEqual({
      status: 'Rejected',
      statusReason: 'InsufficientFunds',
      statusReasonText: 'No cover on …',
      bankStatus: 'RJCT',
    })
  })

  test.each(['PART', 'WAIT', '', '__proto__', 'constructor'])('%j leaves the status unchanged', (word) => {
    expect(toStatusObservation({ transactionStatus: word }, true, dialect)).toMatchObject({
      status: null,
      statusReason: null,
    })
  })
})

describe('the status of a payment at a bank with its own statuses', () => {
  const swedbank = dialectOf(sandboxBank('MALBSESS', PLACE).profile)

  test('proves the signature where the bank reports that status only afterwards', () => {
    expect(toStatusObservation({ transactionStatus: 'ACCP' }, false, swedbank).status).toBe('InProgress')
    expect(toStatusObservation({ transactionStatus: 'ACTC' }, false, swedbank).status).toBe('Unsigned')
    expect(toStatusObservation({ transactionStatus: 'ACTC' }, true, swedbank).status).toBe('InProgress')
  })

  test('may be the bank’s own, which is stored', () => {
    const own = { ...dialect, ownStatuses: { OnHold: 'ACSP', PendingSecondConfirmation: 'PATC' } }
    expect(toStatusObservation({ transactionStatus: 'OnHold' }, true, own)).toMatchObject({
      status: 'InProgress',
      bankStatus: 'OnHold',
    })
    expect(toStatusObservation({ transactionStatus: 'PendingSecondConfirmation' }, true, own)).toMatchObject({
      statusReason: 'PartlySigned',
    })
    expect(toStatusObservation({ transactionStatus: 'constructor' }, true, own).status).toBeNull()
    const checked = { ...dialect, ownStatuses: { Checked: 'ACTC' } }
    expect(toInitiationObservation({ paymentId: 'p', transactionStatus: 'Checked' }, checked).status).toBe('InProgress')
    const before = { partlySigned: false }
    expect(basketAuthorisationEnd({ transactionStatus: 'Checked' }, checked, before).state).toBe('signed')
  })

  test.each(['PDNG', 'ACSP'])(
    '%s held for an SMS waits for the user, once the bank reports it',
    (transactionStatus) => {
      const held = { status: 'CustomerActionRequired', statusReason: 'SmsConfirmationRequired' }
      const message = { category: 'WARNING', code: 'SMS_CONFIRMATION_REQUIRED', text: 'Answer JA by SMS' }
      for (const reported of [{ tppMessages: [message] }, { tppMessage: message }]) {
        expect(toStatusObservation({ transactionStatus, ...reported }, true, dialect)).toMatchObject({
          ...held,
          statusReasonText: 'Answer JA by SMS',
        })
      }
      const withoutHolds = { ...dialect, heldForSmsCode: null }
      expect(toStatusObservation({ transactionStatus, tppMessage: message }, true, withoutHolds).status).toBe(
        'InProgress',
      )
    },
  )

  test('that is final is not held', () => {
    const message = { code: 'SMS_CONFIRMATION_REQUIRED' }
    expect(toStatusObservation({ transactionStatus: 'RJCT', tppMessage: message }, true, dialect)).toMatchObject({
      status: 'Rejected',
      statusReason: null,
    })
  })

  test.each(SANDBOX_BICS)('%s: only a final status is final, and a signed payment is never Unsigned', (bic) => {
    const spoken = dialectOf(sandboxBank(bic, PLACE).profile)
    const words = ['RCVD', 'PDNG', 'PATC', 'ACTC', 'ACCP', 'ACFC', 'ACWC', 'ACWP', 'ACSP', 'ACSC', 'ACCC', 'RJCT']
    const word = oneof(constantFrom(...words, 'CANC', 'PART'), string())
    const links = constantFrom({}, { startAuthorisation: { href: '/x' } })
    const final: Readonly<Record<string, readonly string[]>> = {
      Completed: ['ACSC', 'ACCC'],
      Rejected: ['RJCT'],
      Cancelled: ['CANC'],
    }
    assert(
      property(word, boolean(), boolean(), links, (transactionStatus, signed, fundsAvailable, _links) => {
        const { status, statusReason } = toStatusObservation(
          { transactionStatus, fundsAvailable, _links },
          signed,
          spoken,
        )
        expect(status === null || (final[status] ?? [transactionStatus]).includes(transactionStatus)).toBe(true)
        expect(signed && status === 'Unsigned').toBe(false)
        expect(status === 'CustomerActionRequired' && statusReason === null).toBe(false)
      }),
    )
  })
})

/** At a bank whose orders may have any status before they are signed. */
const isScaExempt = (created: Omit<PaymentCreated, 'paymentId'>) =>
  toInitiationObservation(
    { paymentId: 'p1', ...created },
    { ...dialect, unsignedStatuses: ['RCVD', 'PDNG', 'ACTC', 'ACWC', 'ACCP', 'ACFC'] },
  ).status !== 'Unsigned'

const linkNamed = (name: string) => ({ [name]: { href: '/x' } })

describe('a newly accepted order', () => {
  test('needs no signature when the bank has checked it and offers no signing', () => {
    expect(isScaExempt({ transactionStatus: 'ACTC' })).toBe(true)
    expect(isScaExempt({ transactionStatus: 'ACSP', _links: {} })).toBe(true)
    expect(isScaExempt({ transactionStatus: 'ACCP', _links: linkNamed('status') })).toBe(true)
    expect(isScaExempt({ transactionStatus: 'ACCP', scaStatus: 'exempted' })).toBe(true)
  })

  test('may need a signature while the bank has only received it', () => {
    expect(isScaExempt({ transactionStatus: 'RCVD' })).toBe(false)
    expect(isScaExempt({ transactionStatus: 'PDNG', _links: {} })).toBe(false)
  })

  test.each([
    'startAuthorisation',
    'startAuthorisationWithPsuIdentification',
    'scaRedirect',
    'scaOAuth',
    'scaStatus',
    'updatePsuIdentification',
    'updatePsuAuthentication',
    'updateAdditionalPsuAuthentication',
    'updateEncryptedPsuAuthentication',
    'selectAuthenticationMethod',
    'authoriseTransaction',
  ])('needs a signature when the bank offers %s', (link) => {
    expect(isScaExempt({ transactionStatus: 'ACTC', _links: linkNamed(link) })).toBe(false)
  })

  test.each([{ scaStatus: 'received' }, { scaMethods: [] }, { chosenScaMethod: {} }, { challengeData: {} }])(
    'needs a signature when its body contains %j',
    (sign) => {
      expect(isScaExempt({ transactionStatus: 'ACTC', ...sign })).toBe(false)
    },
  )

  test('with an unknown status is Unsigned where the bank asks for a signature, and has the bank’s status elsewhere', () => {
    const created = { transactionStatus: 'HOLD', paymentId: 'p1' }
    const word = { statusReasonText: 'HOLD', bankStatus: 'HOLD' }
    expect(toInitiationObservation({ ...created, _links: linkNamed('startAuthorisation') }, dialect)).toMatchObject({
      status: 'Unsigned',
      ...word,
    })
    expect(toInitiationObservation(created, dialect)).toMatchObject({ status: null, ...word })
  })
})

describe('the reason of a rejection', () => {
  const both = {
    psuMessage: 'Betalingen ble ikke utført',
    tppMessages: [{ code: 'X', text: 'The account is blocked' }],
  }
  const textOf = (answer: object) =>
    toStatusObservation({ transactionStatus: 'RJCT', ...answer }, false, dialect).statusReasonText

  test('comes before the message to the user, which follows it', () => {
    expect(textOf(both)).toBe('The account is blocked – Betalingen ble ikke utført')
    expect(textOf({ ...both, transactionStatus: 'CANC' })).toBe('The account is blocked – Betalingen ble ikke utført')
    expect(textOf({ psuMessage: 'Avvist', tppMessage: { text: 'Over the limit' } })).toBe('Over the limit – Avvist')
    expect(textOf({ psuMessage: 'Avvist', tppMessages: [{ text: 'Avvist: over the limit' }] })).toBe(
      'Avvist: over the limit',
    )
    expect(textOf({ psuMessage: 'Avvist', tppMessages: [{ code: 'X' }] })).toBe('Avvist')
    expect(textOf({ tppMessages: [{ code: 'X', text: ' ' }, { code: 'Y' }] })).toBe('X, Y')
    expect(textOf({ psuMessage: 'p'.repeat(900), tppMessages: [{ text: 'The account is blocked' }] })).toMatch(
      /^The account is blocked – p+$/,
    )
    expect(textOf({})).toBeNull()
  })

  test('is not looked for where nothing was rejected', () => {
    expect(textOf({ ...both, transactionStatus: 'RCVD' })).toBe(both.psuMessage)
  })

  test('of a signature is found by the message to the third party, too', () => {
    const failed = { scaStatus: 'failed', psuMessage: 'Beklager', tppMessages: [{ text: 'The user cancelled' }] }
    expect(toAuthorisationState(failed, dialect)).toMatchObject({
      state: 'cancelled',
      text: 'The user cancelled – Beklager',
    })
    const unsigned = { ...both, transactionStatus: 'RCVD' }
    expect(paymentAuthorisationEnd(unsigned, dialect, { partlySigned: false })).toMatchObject({
      state: 'rejected',
      text: 'The account is blocked – Betalingen ble ikke utført',
    })
  })
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
    ['failed', 'rejected'],
    ['constructor', 'open'],
  ])('that is %s at the bank is %s', (scaStatus, state) => {
    expect(toAuthorisationState({ scaStatus }, dialect)).toEqual({
      state,
      scaStatus,
      text: null,
      qr: null,
      unconfirmed: scaStatus === 'unconfirmed',
    })
  })

  test.each(['The user cancelled', 'Brukeren avbrøt'])('that failed with %j was cancelled by the user', (text) => {
    expect(toAuthorisationState({ scaStatus: 'failed', psuMessage: text }, dialect).state).toBe('cancelled')
    expect(toAuthorisationState({ scaStatus: 'failed', tppMessages: [{ text }] }, dialect).state).toBe('cancelled')
  })

  test('that succeeded is signed, whatever its text', () => {
    expect(toAuthorisationState({ scaStatus: 'finalised', psuMessage: 'cancel later' }, dialect).state).toBe('signed')
  })
})
