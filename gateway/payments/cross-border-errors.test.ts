/** Tests every code with which a cross-border payment can be rejected, its path, and that nothing is stored. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { initiateCrossBorderPayment } from '../../contract/payments/cross-border-operations.ts'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { ibanOf } from '../countries/account-number.ts'
import { addBankDays, nextBankDay } from '../countries/bank-days.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { countSideEffects, sendRawRequest, UNKNOWN_ID, validHeaders } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment, toIndia } from '../testing/payments/sample-cross-border-payments.ts'
import { acceptedConsent, PSU } from '../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/payments/cross-border'] as const
const EURO = { bban: '80501100076', currency: 'EUR' }
const KRONER = { bban: '80501100017', currency: 'NOK' }
const SATURDAY = 6

type Change = (order: CrossBorderPayment) => object
type Refused = readonly [what: string, change: Change, code: string, path: string]

let gateway: TestGateway
let payer: PaymentDriver
const headersAt = new Map<string, Record<string, string>>()
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
  for (const bic of ['FJORNO22', 'VSKYNO22', 'MALBSESS', 'ORESDK22', 'HAVBNO22']) {
    const { consentId } = await payer.consentOf(nordicBank(bic))
    headersAt.set(bic, await validHeaders(gateway, consentId))
  }
})
afterAll(() => gateway.close())

const today = () => gateway.context.clock.today('Europe/Oslo')
const send = async (bic: string, body: unknown, headers: object = {}) =>
  await sendRawRequest(gateway, OPERATION, { headers: { ...headersAt.get(bic), ...headers }, body })
const euroOrder = (changes: Partial<CrossBorderPayment> = {}) =>
  crossBorderPayment(gateway, nordicBank('FJORNO22'), EURO, changes)
/** To a supplier in the United States, in dollars from an account in kroner. */
const exchanged = (changes: Partial<CrossBorderPayment> = {}) =>
  crossBorderPayment(gateway, nordicBank('FJORNO22'), KRONER, {
    to: americanSupplier,
    amount: { amount: '100.00', currency: 'USD' },
    ...changes,
  })
const americanSupplier: CrossBorderPayment['to'] = {
  account: { type: 'bban', bic: 'CHASUS33', bban: '000123456789', clearingCode: '021000021' },
  contactInformation: {
    name: 'Hudson Bearings Inc',
    address: { streetName: 'Water Street', buildingNumber: '55', city: 'New York', postCode: '10041', country: 'US' },
  },
}

const account =
  (changes: object): Change =>
  ({ to }) => ({ to: { ...to, account: { ...to.account, ...changes } } })
const fromAccount =
  (changes: object): Change =>
  ({ from }) => ({
    from: { ...from, account: { ...from.account, ...changes } },
  })
const receiver =
  (changes: object): Change =>
  ({ to }) => ({
    to: { ...to, contactInformation: { ...to.contactInformation, ...changes } },
  })
const payerIs =
  (changes: object): Change =>
  ({ from }) => ({
    from: { ...from, contactInformation: { ...from.contactInformation, ...changes } },
  })
const address =
  (changes: object): Change =>
  (order) =>
    receiver({ address: { ...order.to.contactInformation.address, ...changes } })(order)
const payerAddress =
  (changes: object): Change =>
  (order) =>
    payerIs({ address: { ...order.from.contactInformation.address, ...changes } })(order)
const remittance =
  (changes: object): Change =>
  ({ remittanceInformation: told }) => ({
    remittanceInformation: { ...told, ...changes },
  })
const amount =
  (changes: object): Change =>
  (order) => ({ amount: { ...order.amount, ...changes } })

const WRONG: readonly Refused[] = [
  ['a quote for an amount that is not exchanged', () => ({ quoteId: UNKNOWN_ID }), 'InvalidRequest', '.quoteId'],
  ['no endToEndId', () => ({ metadata: {} }), 'InvalidRequest', '.metadata.endToEndId'],
  ['an invalid BIC', fromAccount({ bic: 'FJORD' }), 'InvalidBIC', '.from.account.bic'],
  ['the BIC of another bank', fromAccount({ bic: 'FJELNO22' }), 'InvalidBIC', '.from.account.bic'],
  ['no BIC of the bank', fromAccount({ bic: undefined }), 'InvalidBIC', '.from.account.bic'],
  ['no number', fromAccount({ bban: undefined }), 'InvalidFromAccount', '.from.account.bban'],
  [
    'a number with a wrong check digit',
    fromAccount({ bban: '80501100077' }),
    'InvalidFromAccount',
    '.from.account.bban',
  ],
  ['its own number as it is printed', ownNumber, 'InvalidFromAccount', '.from.account.bban'],
  [
    'a town of invisible characters',
    address({ city: '\u200b' }),
    'InvalidToAddress',
    '.to.contactInformation.address.city',
  ],
  [
    'a message of invisible characters',
    remittance({ message: '\u200b' }),
    'InvalidRequest',
    '.remittanceInformation.message',
  ],
  ['its own IBAN as the creditor’s', toOwn, 'InvalidFromAccount', '.from.account.bban'],
  ['a payer without a name', payerIs({ name: ' ' }), 'InvalidRequest', '.from.contactInformation.name'],
  [
    'a payer whose name is too long',
    payerIs({ name: 'N'.repeat(71) }),
    'InvalidRequest',
    '.from.contactInformation.name',
  ],
  ['a payer without an address', payerIs({ address: undefined }), 'InvalidRequest', '.from.contactInformation.address'],
  [
    'a payer without a town',
    payerAddress({ city: undefined }),
    'InvalidRequest',
    '.from.contactInformation.address.city',
  ],
  [
    'a debtor in an unknown country',
    payerAddress({ country: 'XX' }),
    'InvalidRequest',
    '.from.contactInformation.address.country',
  ],
  [
    'another company',
    ({ from }) => ({ from: { ...from, organizationNumber: '987654333' } }),
    'InvalidRequest',
    '.from.organizationNumber',
  ],
  ['an account of an unknown type', account({ type: 'giro' }), 'InvalidRequest', '.to.account.type'],
  ['neither IBAN nor number', account({ iban: undefined }), 'InvalidBbanOrIban', '.to.account.iban'],
  ['type bban and no bban', account({ type: 'bban' }), 'InvalidBbanOrIban', '.to.account.bban'],
  [
    'an IBAN with wrong check digits',
    account({ iban: 'DE88370400440532013000' }),
    'InvalidIbanFormat',
    '.to.account.iban',
  ],
  [
    'an IBAN in bban that is too short',
    account({ type: 'bban', bban: 'DE8937040044053201300' }),
    'InvalidIbanFormat',
    '.to.account.bban',
  ],
  [
    'a German number that is no IBAN',
    account({ type: 'bban', bban: '0532013000' }),
    'InvalidBbanOrIban',
    '.to.account.bban',
  ],
  ['a BIC of another country', account({ bic: 'BNPAFRPP' }), 'IbanBicMismatch', '.to.account.bic'],
  ['a BIC of an unknown country', account({ bic: 'COBAXXFF' }), 'InvalidBIC', '.to.account.bic'],
  ['no BIC', account({ bic: undefined }), 'InvalidBIC', '.to.account.bic'],
  ['a bank in a country that is not served', blockedBank, 'InvalidBeneficiaryCountry', '.to.account.bic'],
  [
    'a creditor in a country that is not served',
    address({ country: 'IR' }),
    'InvalidBeneficiaryCountry',
    '.to.contactInformation.address.country',
  ],
  [
    'a creditor whose name is too long',
    receiver({ name: 'N'.repeat(71) }),
    'InvalidRequest',
    '.to.contactInformation.name',
  ],
  [
    'a creditor’s name with a symbol',
    receiver({ name: 'Elbe ¤ Werkzeug' }),
    'InvalidRequest',
    '.to.contactInformation.name',
  ],
  [
    'a creditor without an address',
    receiver({ address: undefined }),
    'InvalidToAddress',
    '.to.contactInformation.address',
  ],
  ...(['streetName', 'buildingNumber', 'city', 'postCode', 'country'] as const).map(
    (member): Refused => [
      `a receiver without ${member}`,
      address({ [member]: undefined }),
      'InvalidToAddress',
      `.to.contactInformation.address.${member}`,
    ],
  ),
  ['a blank town', address({ city: ' ' }), 'InvalidToAddress', '.to.contactInformation.address.city'],
  [
    'a post code in a format of another country',
    address({ postCode: 'EC1A 1BB' }),
    'InvalidToAddress',
    '.to.contactInformation.address.postCode',
  ],
  [
    'a street that is too long',
    address({ streetName: 'S'.repeat(71) }),
    'InvalidToAddress',
    '.to.contactInformation.address.streetName',
  ],
  ['an unknown country', address({ country: 'Germany' }), 'InvalidToAddress', '.to.contactInformation.address.country'],
  ['an amount with three decimals', amount({ amount: '10.001' }), 'InvalidQuoteCurrencyScale', '.amount.amount'],
  ['an amount of zero', amount({ amount: '0.00' }), 'InvalidRequest', '.amount.amount'],
  ['an amount with a comma', amount({ amount: '10,00' }), 'InvalidRequest', '.amount.amount'],
  ['an amount that is a number', amount({ amount: 10 }), 'InvalidRequest', '.amount.amount'],
  ['no amount', () => ({ amount: undefined }), 'InvalidRequest', '.amount'],
  ['an unknown currency', amount({ currency: 'XYZ' }), 'InvalidRequest', '.amount.currency'],
  ['a due date in the past', () => ({ dueDate: '2020-01-02' }), 'InvalidDueDate', '.dueDate'],
  ['a due date that does not exist', () => ({ dueDate: '2027-02-30' }), 'InvalidDueDate', '.dueDate'],
  ['a due date too far ahead', () => ({ dueDate: '2030-01-02' }), 'InvalidDueDate', '.dueDate'],
  ['no due date', () => ({ dueDate: undefined }), 'InvalidDueDate', '.dueDate'],
  ['no message', remittance({ message: undefined }), 'InvalidRequest', '.remittanceInformation.message'],
  [
    'a message that is too long',
    remittance({ message: 'm'.repeat(141) }),
    'InvalidRequest',
    '.remittanceInformation.message',
  ],
  [
    'a message with a symbol',
    remittance({ message: 'Invoice_17' }),
    'InvalidRequest',
    '.remittanceInformation.message',
  ],
  [
    'information of an unknown type',
    remittance({ additionalInformation: [{ type: 'Colour', value: 'blue' }] }),
    'InvalidRequest',
    '.remittanceInformation.additionalInformation[0].type',
  ],
  [
    'a debtor reference that is too long',
    remittance({ debtorReference: 'd'.repeat(21) }),
    'InvalidRequest',
    '.remittanceInformation.debtorReference',
  ],
  [
    'an unknown reporting code',
    () => ({ regulatoryReporting: { code: '99' } }),
    'InvalidRequest',
    '.regulatoryReporting.code',
  ],
  ['a reporting without code', () => ({ regulatoryReporting: {} }), 'InvalidRequest', '.regulatoryReporting.code'],
]

function ownNumber(order: CrossBorderPayment) {
  return account({ type: 'bban', bic: 'FJORNO22', bban: '8050.11.00076' })(order)
}

function toOwn({ to }: CrossBorderPayment) {
  return { to: { ...to, account: { type: 'iban', bic: 'FJORNO22', iban: ibanOf('NO', EURO.bban) } } }
}

function blockedBank(order: CrossBorderPayment) {
  return account({ type: 'bban', bic: 'BMJIIRTH', bban: '123456789' })(order)
}

describe('an order without exchange', () => {
  test('is rejected for each error with its code, at its path', async () => {
    const before = await countSideEffects(gateway)
    await forEachRow(
      WRONG,
      ([what]) => what,
      async ([_what, change, code, path]) => {
        const order = euroOrder()
        const answer = await send('FJORNO22', { ...order, ...change(order) })
        expect(answer.status).toBe(422)
        const error = { code, path, reason: expect.stringMatching(/\S/) }
        expect(answer.body).toContainEqual(expect.objectContaining(error))
        expect(initiateCrossBorderPayment.validation).toContain(code)
      },
    )
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('that is not JSON is rejected with a code of its own, before authentication', async () => {
    const answer = await send('FJORNO22', '{"metadata":', { authorization: undefined })
    expect(answer).toMatchObject({ status: 422, body: [{ code: 'InvalidJsonRequest', path: '.' }] })
  })

  test('is rejected with all its errors, in the order of the body', async () => {
    const order = euroOrder({ dueDate: '2020-01-02', amount: { amount: '1.234', currency: 'EUR' } })
    const { body } = await send('FJORNO22', { ...order, ...address({ city: '' })(order) })
    expect(Array.isArray(body) && body.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'InvalidToAddress .to.contactInformation.address.city',
      'InvalidQuoteCurrencyScale .amount.amount',
      'InvalidDueDate .dueDate',
    ])
  })
})

test('a message is validated by the bank’s limit for cross-border payments, with the required information', async () => {
  const euros = { bban: '79901000076', currency: 'EUR' }
  const ordered = (message: string) =>
    crossBorderPayment(gateway, nordicBank('MALBSESS'), euros, {
      remittanceInformation: { message, additionalInformation: [{ type: 'Reason', value: 'Tools' }] },
    })
  const fits = 'x'.repeat(35 - 'reason Tools, '.length)
  expect(await send('MALBSESS', ordered(fits))).toMatchObject({ status: 200 })
  const before = await countSideEffects(gateway)
  expect(await send('MALBSESS', ordered(`${fits}x`))).toMatchObject({
    status: 422,
    body: [
      {
        code: 'InvalidRequest',
        path: '.remittanceInformation.message',
        reason: expect.stringContaining('accepts at most 35'),
      },
    ],
  })
  expect(await countSideEffects(gateway)).toEqual(before)
})

describe('an order with exchange', () => {
  type Wrong = readonly [what: string, order: () => CrossBorderPayment, status: number, code: string, path?: string]
  const WRONG_EXCHANGES: readonly Wrong[] = [
    [
      'for an amount above every limit, today',
      () => exchanged({ amount: dollars('9000000') }),
      422,
      'InvalidRequest',
      '.amount.amount',
    ],
    [
      'for an amount above every limit, ahead',
      () => exchanged({ amount: dollars('9000000'), ...ahead(1) }),
      422,
      'InvalidForwardAmount',
      '.amount.amount',
    ],
    [
      'for an amount above the limit of a later day',
      () => exchanged({ amount: dollars('2000000'), ...ahead(1) }),
      400,
      'MAX_AMOUNT_EXCEEDED',
    ],
    [
      'in a currency never bought ahead',
      () => exchanged({ ...toIndia, ...ahead(1) }),
      422,
      'InvalidForwardCurrency',
      '.dueDate',
    ],
    [
      'in a currency not bought so far ahead',
      () => exchanged({ ...toTheEmirates(), ...ahead(4) }),
      400,
      'UNSUPPORTED_DUE_DATE',
    ],
    ['further ahead than any exchange', () => exchanged(ahead(6)), 422, 'InvalidDueDate', '.dueDate'],
    [
      'in a currency that creditors in that country cannot be paid in',
      () => exchanged({ amount: { amount: '10', currency: 'NPR' } }),
      422,
      'InvalidRequest',
      '.amount.currency',
    ],
    [
      'with a name of 71 characters',
      () => exchanged({ to: named('N'.repeat(71)) }),
      422,
      'InvalidRequest',
      '.to.contactInformation.name',
    ],
    [
      'with a town of the debtor in unsupported letters',
      () => {
        const order = exchanged()
        return { ...order, ...payerAddress({ city: 'Бергéн' })(order) }
      },
      422,
      'InvalidRequest',
      '.from.contactInformation.address.city',
    ],
    [
      'without the clearing code that the country requires',
      () =>
        exchanged({ to: { ...americanSupplier, account: { type: 'bban', bic: 'CHASUS33', bban: '000123456789' } } }),
      422,
      'InvalidRequest',
      '.to.account.clearingCode',
    ],
  ]

  test('is rejected for each error with its code, at its path', async () => {
    await payer.nextMorning()
    const before = await countSideEffects(gateway)
    await forEachRow(
      WRONG_EXCHANGES,
      ([what]) => what,
      async ([_what, order, status, code, path]) => {
        const answer = await send('FJORNO22', reported(order()))
        expect(answer.status).toBe(status)
        expect(status === 400 ? answer.body : firstAt(answer.body, path)).toMatchObject(
          status === 400 ? { failure: code } : { code },
        )
      },
    )
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test('on a weekend is rejected with the day on which the service opens, and how to get there in the sandbox', async () => {
    const saturday = today().add({ days: 7 + SATURDAY - today().dayOfWeek })
    await passUntil(gateway, `${saturday}T10:00:00Z`)
    const { status, body } = await send(
      'FJORNO22',
      exchanged({ dueDate: nextBankDay(['NO', 'TARGET'], saturday).toString() }),
    )
    expect({ status, body }).toMatchObject({ status: 422, body: [{ code: 'InvalidCreationTime', path: '.' }] })
    expect(JSON.stringify(body)).toContain('/api/sandbox/clock')
    const past = await send('FJORNO22', exchanged({ dueDate: saturday.subtract({ days: 1 }).toString() }))
    expect(past.body).toMatchObject([{ code: 'InvalidCreationTime' }, { code: 'InvalidDueDate' }])
    expect((await send('FJORNO22', euroOrder({ dueDate: saturday.add({ days: 9 }).toString() }))).status).toBe(200)
  })

  test('outside the service hours is rejected depending on its due date', async () => {
    const day = nextBankDay(['NO', 'TARGET'], today().add({ days: 1 }))
    await passUntil(gateway, `${day}T03:00:00Z`)
    const dueToday = await send('FJORNO22', exchanged())
    expect(dueToday).toMatchObject({ status: 400, body: { failure: 'SERVICE_CLOSED' } })
    expect(JSON.stringify(dueToday.body)).toContain('It opens at')
    expect(await send('FJORNO22', exchanged(ahead(1)))).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidForwardExchangeServiceTime' }],
    })
  })

  test('where no provider of exchange is configured is rejected', async () => {
    await payer.nextMorning()
    expect(await send('FJORNO22', exchanged())).toMatchObject({
      status: 400,
      body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' },
    })
  })
})

describe('a valid order is rejected', () => {
  test('at a bank without cross-border payments', async () => {
    const order = crossBorderPayment(gateway, nordicBank('HAVBNO22'), { bban: '80531100011', currency: 'NOK' })
    expect(await send('HAVBNO22', order)).toMatchObject({
      status: 400,
      body: { failure: 'UNSUPPORTED_PRODUCT_BY_BANK' },
    })
  })

  test('from an account that is not on the consent', async () => {
    const order = { ...euroOrder(), ...fromAccount({ bban: '80501100106' })(euroOrder()) }
    expect(await send('FJORNO22', order)).toMatchObject({ status: 400, body: { failure: 'ACCESS_DENIED' } })
  })

  test('in another currency than that of the account', async () => {
    const order = crossBorderPayment(gateway, nordicBank('FJORNO22'), { ...KRONER, currency: 'EUR' })
    expect(await send('FJORNO22', order)).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', path: '.from.currency' }],
    })
  })

  test('without a consent, or with an unknown one', async () => {
    expect(await send('FJORNO22', euroOrder(), { 'consent-id': undefined })).toMatchObject({
      status: 400,
      body: { failure: 'INVALID_CONSENT' },
    })
    const headers = { 'consent-id': '01a207a2-0000-7000-8000-000000000000' }
    expect(await send('FJORNO22', euroOrder(), headers)).toMatchObject({
      status: 400,
      body: { failure: 'INVALID_CONSENT' },
    })
  })

  test('for a company without cross-border payments, with the code; for one without payments, without a code', async () => {
    const other = await gateway.otherPartner()
    const { consentId } = await acceptedConsent(other)
    const refused = other.client.initiateCrossBorderPayment({ consentId, psu: PSU, body: euroOrder() })
    await expect(refused).rejects.toMatchObject({
      status: 403,
      failure: 'COMPANY_DISABLED_FOR_INTERNATIONAL_PAYMENTS',
    })
    await gateway.context.database.pool.query(
      `update companies set active_subscription = false where not international_payments`,
    )
    const unpaid = other.client.initiateCrossBorderPayment({ consentId, psu: PSU, body: euroOrder() })
    await expect(unpaid).rejects.toMatchObject({ status: 403, code: 'Forbidden' })
    await expect(unpaid).rejects.not.toHaveProperty('failure')
  })
})

const dollars = (text: string) => ({ amount: `${text}.00`, currency: 'USD' })
const ahead = (days: number) => ({ dueDate: addBankDays(['NO', 'TARGET'], today(), days).toString() })
const named = (name: string) => ({
  ...americanSupplier,
  contactInformation: { ...americanSupplier.contactInformation, name },
})
const reported = (order: CrossBorderPayment) => ({
  ...order,
  regulatoryReporting: { code: '14', information: 'Bearings' },
})
const firstAt = (body: unknown, path: string | undefined) =>
  Array.isArray(body) ? body.find((validationError) => validationError.path === path) : body

function toTheEmirates(): Partial<CrossBorderPayment> {
  return {
    to: {
      account: { type: 'iban', bic: 'EBILAEAD', iban: 'AE070331234567890123456' },
      contactInformation: {
        name: 'Gulf Trading LLC',
        address: { streetName: 'Creek Road', buildingNumber: '9', city: 'Dubai', postCode: '00000', country: 'AE' },
      },
    },
    amount: { amount: '1000.00', currency: 'AED' },
    remittanceInformation: { message: 'Invoice 5', additionalInformation: [{ type: 'Purpose', value: 'GDI' }] },
  }
}
