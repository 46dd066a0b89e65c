/** Shows that recorded answers of the standard's examples and the sandbox bank are parsed and translated. */
import { readdir, readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import type { ResponseParser } from '../../../platform/http/response-parser.ts'
import type { BankResponse } from '../../connector/connector-dependencies.ts'
import { sampleBank, sampleSubmittedOrder } from '../../testing/samples.ts'
import { toBankAccounts, toBankBalance } from './accounts/translate-accounts.ts'
import { parseAccounts, parseBalances } from './accounts/wire-accounts.ts'
import { toAuthorisationState } from './authorisations/translate-authorisations.ts'
import { dialectOf } from './dialect.ts'
import { toOrderShownByBank } from './payments/order-body.ts'
import { consentStates } from './translate-consent.ts'
import { toInitiationObservation, toStatusObservation } from './translate-payment-status.ts'
import { bankErrorOf, parseBankErrors } from './transport/bank-errors.ts'
import { isKnownCode, type RequestPurpose } from './transport/error-kinds.ts'
import {
  dateOf,
  parseAuthorisation,
  parseAuthorisationStarted,
  parseConsent,
  parseConsentCreated,
  parsePaymentCreated,
  parsePaymentDetails,
  parsePaymentStatus,
} from './wire.ts'

const FOLDER = new URL('./recordings/', import.meta.url)
const Recording = Type.Object({ source: Type.String(), status: Type.Integer(), body: Type.Unknown() })
const dialect = dialectOf(sampleBank().profile)

const readerByName: readonly (readonly [RegExp, ResponseParser<unknown>])[] = [
  [/payment-created/, parsePaymentCreated],
  [/payment-held/, parsePaymentDetails],
  [/payment-(status|cancel)/, parsePaymentStatus],
  [/authorisation-started/, parseAuthorisationStarted],
  [/authorisation/, parseAuthorisation],
  [/consent-created/, parseConsentCreated],
  [/consent/, parseConsent],
  [/accounts/, parseAccounts],
  [/balances/, parseBalances],
  [/rejected/, (body) => (parseBankErrors(body).every(({ code }) => isKnownCode(code)) ? JSON.parse(body) : undefined)],
]

const fail = ({ reason }: { reason: string }) => expect.fail(reason)

test.each(await readdir(FOLDER))('%s matches its schema', async (file) => {
  const { body } = await responseOf(file.replace('.json', ''))
  const [, read] = readerByName.find(([name]) => name.test(file)) ?? []
  expect(read?.(body)).toEqual(JSON.parse(body))
})

describe('examples of the standard', () => {
  test('contain the accounts of a consent', async () => {
    const { accounts } = await recorded('standard-accounts', parseAccounts)
    expect(toBankAccounts(accounts, 'NO', fail)).toMatchObject([
      { resourceId: '3dc3d5b3-7023-4848-9853-f5400a64e80f', iban: 'DE2310010010123456789', name: 'Main Account' },
      { currency: 'USD', type: 'Currency', payable: null, ownerName: null, bban: null },
    ])
  })

  test('contain balances', async () => {
    const { balances } = await recorded('standard-balances', parseBalances)
    expect(toBankBalance(balances, 'EUR')).toEqual({
      available: { minor: 90_000n, currency: 'EUR' },
      booked: { minor: 50_000n, currency: 'EUR' },
    })
  })

  test.each(['standard-payment-created-explicit', 'standard-payment-created-implicit'])(
    'contain an unsigned order: %s',
    async (name) => {
      const created = await recorded(name, parsePaymentCreated)
      expect(toInitiationObservation({ ...created, transactionStatus: 'ACTC' }, dialect).status).toBe('Unsigned')
    },
  )
})

describe('answers of the sandbox bank', () => {
  test.each([
    ['payment-status-received', false, 'Unsigned'],
    ['payment-status-signed', true, 'InProgress'],
    ['payment-status-booked', true, 'Completed'],
  ])('%s', async (name, signed, status) => {
    const answer = await recorded(`fjordbanken-${name}`, parsePaymentStatus)
    expect(toStatusObservation(answer, signed, dialect)).toMatchObject({ status, statusReason: null })
  })

  test.each([
    ['authorisation-finalised', 'signed'],
    ['authorisation-rejected', 'rejected'],
    ['authorisation-left', 'cancelled'],
  ])('%s', async (name, state) => {
    const answer = await recorded(`fjordbanken-${name}`, parseAuthorisation)
    expect(toAuthorisationState(answer, dialect)).toMatchObject({ state })
  })

  test('consent-valid', async () => {
    const answer = await recorded('fjordbanken-consent-valid', parseConsent)
    expect(consentStates.get(answer.consentStatus)).toBe('valid')
    expect(dateOf(answer.validUntil, 'Europe/Oslo')).toBeInstanceOf(Temporal.PlainDate)
  })

  test('accounts, with another company that the user may see', async () => {
    const { accounts } = await recorded('fjordbanken-accounts', parseAccounts)
    expect(toBankAccounts(accounts, 'NO', fail)).toMatchObject([
      { bban: '80501100017', ownerName: 'Nordlys Handel AS', type: 'Current' },
      { bban: '80501100025', ownerName: 'Nordlys Handel AS', type: 'Current' },
      { bban: '80501100106', ownerName: 'Vestavind Eiendom AS', type: 'Current' },
    ])
  })

  test('payment-held', async () => {
    const held = await recorded('fjordbanken-payment-held', parsePaymentDetails)
    expect(toOrderShownByBank(held, sampleSubmittedOrder(), 'NO')).toEqual({
      debtorBban: '80501100017',
      creditorBban: '80501200011',
      amount: { minor: 125_000n, currency: 'NOK' },
    })
  })

  test.each<[string, RequestPurpose, string, string[]]>([
    ['rejected-form', 'initiation', 'order-rejected', ['creditorName too-long']],
    [
      'rejected-order',
      'initiation',
      'order-rejected',
      ['creditorAccount invalid', 'amount invalid', 'creditorName characters', 'dueDate invalid'],
    ],
    ['rejected-kid-missing', 'initiation', 'ocr-rejected', []],
    ['rejected-debtor', 'initiation', 'access-denied', []],
    ['rejected-unknown-payment', 'status', 'unknown-resource', []],
    ['rejected-cancellation', 'cancellation', 'cancellation-rejected', []],
  ])('%s', async (name, purpose, kind, validationErrors) => {
    const rejection = bankErrorOf(purpose, await responseOf(`fjordbanken-${name}`))
    expect(rejection.kind).toBe(kind)
    expect(rejection.validationErrors.map(({ field, cause }) => `${field} ${cause}`)).toEqual(validationErrors)
  })
})

async function recorded<Shape>(name: string, read: ResponseParser<Shape>): Promise<Shape> {
  const answer = read((await responseOf(name)).body)
  if (answer === undefined) {
    throw new Error(`${name} is not of the shape`)
  }
  return answer
}

async function responseOf(name: string): Promise<BankResponse> {
  const { status, body } = Value.Parse(Recording, JSON.parse(await readFile(new URL(`${name}.json`, FOLDER), 'utf8')))
  return { status, headers: {}, body: JSON.stringify(body) }
}
