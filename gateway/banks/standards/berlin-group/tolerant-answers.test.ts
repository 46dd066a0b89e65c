/** Shows for every kind of answer what may be null, blank, of another shape or absent, and what may not. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { randomCases } from '../../../../setup/random-cases.ts'
import type { Deviation } from '../../../platform/http/tolerant-reader.ts'
import {
  parseAccounts,
  parseBalances,
  parseEntry,
  parseEntryDetails,
  parseReportShell,
} from './accounts/wire-accounts.ts'
import { parseBulkCreated, parseBulkDetails } from './payments/translate-bulk.ts'
import * as wire from './wire.ts'

const LINK = { href: 'https://xs2a.fjordbanken.example/x' }
const MESSAGES = {
  psuMessage: 'Approve in the app',
  tppMessages: [{ category: 'WARNING', code: 'WARNING', path: 'p', text: 'A text' }],
}
const ACCOUNT = {
  iban: 'NO9386011117947',
  bban: '86011117947',
  other: { identification: '1', schemeNameProprietary: 's' },
}
const AMOUNT = { currency: 'NOK', amount: '-1.00' }
const SCA = { scaMethods: [{ id: '1' }], chosenScaMethod: { id: '1' }, challengeData: { image: 'aGk=' } }
const CREATED = {
  transactionStatus: 'RCVD',
  paymentId: 'p1',
  fundsAvailable: true,
  scaStatus: 'received',
  ...SCA,
  _links: { startAuthorisation: LINK, scaStatus: LINK },
  ...MESSAGES,
}
const PART = {
  endToEndId: 'e1',
  transactionAmount: AMOUNT,
  creditorName: 'Nord AS',
  creditorAccount: ACCOUNT,
  debtorName: 'Sør AS',
  debtorAccount: ACCOUNT,
  remittanceInformationUnstructured: 'A message',
  remittanceInformationUnstructuredArray: ['A', 'message'],
  remittanceInformationStructured: { reference: '18', referenceType: 'KID' },
  remittanceInformationStructuredArray: [{ reference: '18', referenceType: 'KID' }, '26'],
}
const EXCHANGE = { sourceCurrency: 'EUR', targetCurrency: 'NOK', exchangeRate: '11.2', unitCurrency: 'EUR' }
const ENTRY = {
  ...PART,
  transactionId: 't1',
  entryReference: 'r1',
  bookingDate: '2026-11-20',
  valueDate: '2026-11-20',
  batchIndicator: true,
  batchNumberOfTransactions: '2',
  entryDetails: [PART],
  currencyExchange: [{ ...EXCHANGE, quotationDate: '2026-11-20', contractIdentification: 'c' }],
  balanceAfterTransaction: { balanceAmount: AMOUNT },
  purposeCode: 'SALA',
  bankTransactionCode: 'PMNT-ICDT-DMCT',
  proprietaryBankTransactionCode: 'Transfer',
  additionalInformation: 'Text',
}
const LISTED = { ...CREATED, debtorAccount: ACCOUNT, creditorAccount: ACCOUNT, instructedAmount: AMOUNT }

type Parse = (body: never, report?: (deviation: Deviation) => void) => unknown

type AnswerCase = readonly [
  name: string,
  parse: Parse,
  answer: object,
  required: readonly string[],
  readableOrAbsent?: readonly string[],
]

/** Each answer with everything in it, and the paths that are required of it, or readable where they are not absent. */
const answers: readonly AnswerCase[] = [
  ['order', wire.parsePaymentCreated, CREATED, ['paymentId']],
  ['bulk', parseBulkCreated, { ...CREATED, payments: [{ paymentId: 'p2' }] }, ['paymentId']],
  ['order details', wire.parsePaymentDetails, LISTED, []],
  [
    'bulk details',
    parseBulkDetails,
    { debtorAccount: ACCOUNT, paymentInformationId: 'b', payments: [LISTED, LISTED] },
    [],
    ['payments'],
  ],
  ['status', wire.parsePaymentStatus, CREATED, ['transactionStatus']],
  ['start', wire.parseAuthorisationStarted, { ...CREATED, authorisationId: 'a1' }, ['authorisationId']],
  ['authorisation', wire.parseAuthorisation, CREATED, ['scaStatus']],
  ['challenge', wire.parseChallengeData, { image: 'aGk=', imageLink: LINK.href, data: ['code'] }, []],
  ['cancellation', wire.parseCancellationResponse, CREATED, []],
  ['basket', wire.parseBasketCreated, { basketId: 'b1', ...CREATED }, ['basketId']],
  ['basket status', wire.parseBasketStatus, CREATED, ['transactionStatus']],
  ['consent', wire.parseConsentCreated, { consentId: 'c1', validUntil: '2027-01-01', ...CREATED }, ['consentId']],
  [
    'consent status',
    wire.parseConsent,
    { consentStatus: 'valid', validUntil: '2027-01-01', ...MESSAGES },
    ['consentStatus'],
  ],
  [
    'accounts',
    parseAccounts,
    {
      accounts: [
        {
          resourceId: 'r1',
          ...ACCOUNT,
          bic: 'FJORNO22',
          currency: 'NOK',
          name: 'n',
          displayName: 'd',
          product: 'p',
          ownerName: 'o',
        },
        { resourceId: 'r2', currency: 'NOK', cashAccountType: 'CACC', status: 'enabled' },
      ],
    },
    ['accounts'],
  ],
  [
    'balances',
    parseBalances,
    {
      balances: [
        { balanceType: 'interimBooked', balanceAmount: AMOUNT, creditLimitIncluded: true },
        { balanceType: 'expected', balanceAmount: AMOUNT },
      ],
    },
    ['balances'],
  ],
  ['entry', parseEntry, ENTRY, ['transactionAmount', 'transactionAmount.currency', 'transactionAmount.amount']],
  [
    'report',
    parseReportShell,
    { transactions: { booked: [], pending: [], _links: { next: LINK } }, _links: { download: LINK } },
    [],
  ],
  [
    'entry details',
    parseEntryDetails,
    { transactionDetails: ENTRY },
    [
      'transactionDetails',
      'transactionDetails.transactionAmount',
      'transactionDetails.transactionAmount.currency',
      'transactionDetails.transactionAmount.amount',
    ],
  ],
]

const NOTHING = [null, '', ' \u200b']
const OTHER_SHAPES = [7, 'a text', [7], { other: 'thing' }, -1.5, [], false, ['a text'], {}]
/** So many of them are tried at each path, in turn. */
const SHAPES_AT_PATH = randomCases(OTHER_SHAPES.length * 3)

const cases = answers.map(([name, ...one]) => ({ name, one }))

describe.each(cases)('the answer about $name', ({ one: [parse, answer, required, readableOrAbsent = []] }) => {
  const read = (value: object, report?: (deviation: Deviation) => void) => {
    const input = parse === parseEntry || parse === parseReportShell ? value : JSON.stringify(value)
    return (parse as (input: unknown, report?: (deviation: Deviation) => void) => unknown)(input, report)
  }

  test('is read as it is', () => {
    const reported: Deviation[] = []
    expect(read(answer, (deviation) => reported.push(deviation))).toEqual(answer)
    expect(reported).toEqual([])
  })

  test('loses only what is null, blank or of another shape', () => {
    const losses = pathsIn(answer)
      .filter((path) => !required.includes(path))
      .flatMap((path, index) =>
        [...NOTHING, ...(readableOrAbsent.includes(path) ? [] : shapesAt(index))].map((value) => ({ path, value })),
      )
      .filter(({ path, value }) => !hasOthers(read(withValue(answer, path, value)), answer, path))
    expect(losses).toEqual([])
  })

  test('is not read without what it requires or with lists that cannot be read, and that is reported', () => {
    const unreadable = [
      ...required.map((path) => [path, [...NOTHING, undefined]] as const),
      ...readableOrAbsent.map((path) => [path, [7, 'a text', [7], { other: 'thing' }]] as const),
    ]
    for (const [path, values] of unreadable) {
      for (const value of values) {
        const reported: Deviation[] = []
        const result = read(withValue(answer, path, value), (deviation) => reported.push(deviation))
        expect(result, `${path} is ${value}`).toBeUndefined()
        expect(reported.filter(({ effect }) => effect === 'unreadable')).toHaveLength(1)
      }
    }
  })
})

function shapesAt(index: number): readonly unknown[] {
  const first = (index * SHAPES_AT_PATH) % OTHER_SHAPES.length
  return [...OTHER_SHAPES, ...OTHER_SHAPES].slice(first, first + Math.min(SHAPES_AT_PATH, OTHER_SHAPES.length))
}

/** Names and indices of everything in a value, joined by dots. */
function pathsIn(value: unknown): readonly string[] {
  return typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([name, inside]) => [name, ...pathsIn(inside).map((path) => `${name}.${path}`)])
}

function withValue(value: object, path: string, replaced: unknown): object {
  const copy = JSON.parse(JSON.stringify(value))
  const names = path.split('.')
  const parent = names.slice(0, -1).reduce((at: object, name) => Reflect.get(at, name), copy)
  Reflect.set(parent, names.at(-1) ?? '', replaced)
  return copy
}

/** Whether everything outside the field that the path is in is there; in a list, every other element. */
function hasOthers(result: unknown, answer: object, path: string): boolean {
  const [field = '', index] = path.split('.')
  const list: unknown = Reflect.get(answer, field)
  const isElement = Array.isArray(list) && index !== undefined
  const others = isElement ? list.filter((_element, position) => String(position) !== index) : []
  const found: readonly unknown[] = isElement ? Object(result)[field] : []
  return (
    result !== undefined &&
    isDeepStrictEqual({ ...Object(result), [field]: 0 }, { ...answer, [field]: 0 }) &&
    others.every((other) => found.some((one) => isDeepStrictEqual(one, other)))
  )
}
