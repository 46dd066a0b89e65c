/** Tests the account forms of cross-border payments, the data sent to authorities and creditors, and the warnings. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CrossBorderPayment } from '../../contract/payments/cross-border-payment.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { nordicBank } from '../testing/banks/nordic-banks.ts'
import { sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { crossBorderPayment, germanSupplier } from '../testing/payments/sample-cross-border-payments.ts'

const OPERATION = ['POST', '/api/v2/payments/cross-border'] as const
const ACCOUNTS = {
  FJORNO22: { NOK: '80501100017', EUR: '80501100076', USD: '80501100084' },
  VSKYNO22: { NOK: '80521100013', EUR: '80521100072' },
  MALBSESS: { SEK: '79901000017', EUR: '79901000076', USD: '79901000084' },
  ORESDK22: { EUR: '59600001100066' },
} as const
type Bic = keyof typeof ACCOUNTS

let gateway: TestGateway
let payer: PaymentDriver
const headersAt = new Map<string, Record<string, string>>()
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
  for (const bic of Object.keys(ACCOUNTS)) {
    const { consentId } = await payer.consentOf(nordicBank(bic))
    headersAt.set(bic, await validHeaders(gateway, consentId))
  }
})
afterAll(() => gateway.close())

function orderAt(bic: Bic, currency: string, changes: Partial<CrossBorderPayment> = {}): CrossBorderPayment {
  const bban = new Map(Object.entries(ACCOUNTS[bic])).get(currency) ?? ''
  return crossBorderPayment(gateway, nordicBank(bic), { bban, currency }, changes)
}
const send = async (bic: Bic, body: object) =>
  await sendRawRequest(gateway, OPERATION, { headers: headersAt.get(bic) ?? {}, body })
const heldBy = async (paymentId: string) => {
  const { rows } = await gateway.context.database.pool.query(
    `select b.body from payments p join sandbox_bank.payments b on b.id::text = p.bank_payment_id where p.id = $1`,
    [paymentId],
  )
  return rows[0]?.body
}

describe('the receiver may be named', () => {
  test.each<[what: string, account: object, held: object]>([
    ['by an IBAN', { type: 'iban', iban: 'DE89 3704 0044 0532 0130 00' }, { iban: 'DE89370400440532013000' }],
    ['by an IBAN in bban', { type: 'bban', bban: 'DE89370400440532013000' }, { iban: 'DE89370400440532013000' }],
  ])('%s', async (_what, account, held) => {
    const to = { ...germanSupplier, account: { bic: germanSupplier.account.bic, ...account } }
    const answer = await send('FJORNO22', { ...orderAt('FJORNO22', 'EUR'), to })
    expect(answer.status).toBe(200)
    expect((await heldBy(Object(answer.body).paymentId)).creditorAccount).toEqual(held)
  })

  test('with BICs and an IBAN as they are copied', async () => {
    const order = orderAt('FJORNO22', 'EUR')
    const from = { ...order.from, account: { ...order.from.account, bic: 'fjor no22 xxx' } }
    const { bic } = germanSupplier.account
    const account = { type: 'bban', bic: bic.toLowerCase(), bban: 'de89\u00a03704 0044 0532\u200b 0130 00' }
    const answer = await send('FJORNO22', { ...order, from, to: { ...germanSupplier, account } })
    expect(answer.status).toBe(200)
    expect(await heldBy(Object(answer.body).paymentId)).toMatchObject({
      creditorAgent: bic,
      creditorAccount: { iban: 'DE89370400440532013000' },
    })
  })

  test('by the domestic number of a Nordic neighbour, from which its IBAN is derived', async () => {
    const to = {
      account: { type: 'bban', bic: 'ORESDK22', bban: '5960 0001200011' },
      contactInformation: { ...germanSupplier.contactInformation, address: danish },
    }
    const answer = await send('FJORNO22', { ...orderAt('FJORNO22', 'EUR'), to })
    expect(answer.status).toBe(200)
    expect((await heldBy(Object(answer.body).paymentId)).creditorAccount).toEqual({ iban: 'DK0259600001200011' })
  })

  test('by a number and a clearing code where there are no IBANs, with a warning where the bank does not transmit the code', async () => {
    const to = {
      account: { type: 'bban', bic: 'CHASUS33', bban: '000123456789', clearingCode: '021000021' },
      contactInformation: { ...germanSupplier.contactInformation, address: american },
    }
    const atVestkyst = await send('VSKYNO22', { ...orderAt('VSKYNO22', 'EUR'), to })
    expect(atVestkyst).toMatchObject({
      status: 200,
      body: expect.not.objectContaining({ warnings: expect.anything() }),
    })
    expect(await heldBy(Object(atVestkyst.body).paymentId)).toMatchObject({
      creditorAccount: { bban: '000123456789' },
      creditorAgentClearingCode: '021000021',
    })
    const atFjord = await send('FJORNO22', { ...orderAt('FJORNO22', 'USD'), to })
    expect(atFjord).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'NotCarriedByBank', path: '.to.account.clearingCode' }] },
    })
  })
})

describe('the order contains for the creditor', () => {
  test('name, address and message in transliterated letters, and what its country requires in front of the message', async () => {
    const { contactInformation } = germanSupplier
    const order = orderAt('FJORNO22', 'EUR', {
      to: {
        ...germanSupplier,
        contactInformation: {
          ...contactInformation,
          name: 'Müller & Söhne Gerätebau',
          address: { ...contactInformation.address, streetName: 'Große Straße' },
        },
      },
      remittanceInformation: {
        message: 'Kjøp av målere',
        additionalInformation: [{ type: 'Reason', value: 'Measuring devices' }],
      },
    })
    const { body } = await send('FJORNO22', order)
    const { paymentId } = Object(body)
    expect(await heldBy(paymentId)).toMatchObject({
      creditorName: 'Mueller + Soehne Geraetebau',
      creditorAddress: { streetName: 'Grosse Strasse', townName: 'Hamburg' },
      remittanceInformationUnstructured: 'reason Measuring devices, Kjoep av maalere',
    })
    expect(await gateway.client.getPayment({ params: { paymentId } })).toMatchObject({
      to: order.to,
      remittanceInformation: order.remittanceInformation,
    })
  })

  test('no more than 140 characters of both together', async () => {
    const remittanceInformation = {
      message: 'm'.repeat(120),
      additionalInformation: [{ type: 'Reason', value: 'r'.repeat(20) }],
    }
    expect(await send('FJORNO22', { ...orderAt('FJORNO22', 'EUR'), remittanceInformation })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', path: '.remittanceInformation.message' }],
    })
  })
})

describe('payments above a threshold are reported to authorities', () => {
  test.each<[bic: Bic, amount: string, currency: string, isAbove: boolean]>([
    ['FJORNO22', '100000.00', 'NOK', false],
    ['FJORNO22', '100000.01', 'NOK', true],
    ['FJORNO22', '9278.15', 'EUR', false],
    ['FJORNO22', '9278.16', 'EUR', true],
    ['FJORNO22', '10455.55', 'USD', false],
    ['FJORNO22', '10455.56', 'USD', true],
    ['MALBSESS', '150000.00', 'SEK', false],
    ['MALBSESS', '150000.01', 'SEK', true],
    ['MALBSESS', '13342.22', 'EUR', false],
    ['MALBSESS', '13342.23', 'EUR', true],
  ])('at %s %s %s: %s', async (bic, amount, currency, isAbove) => {
    const order = orderAt(bic, currency, { amount: { amount, currency }, to: neighbour })
    const missing = { status: 422, body: [{ code: 'InvalidRequest', path: '.regulatoryReporting' }] }
    expect(await send(bic, order)).toMatchObject(isAbove ? missing : { status: 200 })
    if (!isAbove) {
      return
    }
    const regulatoryReporting = bic === 'MALBSESS' ? { code: '101' } : { code: '14', information: 'Goods' }
    const reported = await send(bic, {
      ...order,
      metadata: { endToEndId: `${order.metadata.endToEndId}-told` },
      regulatoryReporting,
    })
    expect(reported.status).toBe(200)
    expect(await heldBy(Object(reported.body).paymentId)).toMatchObject({
      regulatoryReportingCode: regulatoryReporting.code,
    })
  })

  test('in Norway and Sweden only', async () => {
    const order = orderAt('ORESDK22', 'EUR', { amount: { amount: '40000.00', currency: 'EUR' } })
    expect((await send('ORESDK22', order)).status).toBe(200)
    expect(await send('ORESDK22', { ...order, regulatoryReporting: { code: '14' } })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', path: '.regulatoryReporting' }],
    })
  })

  test('without a description in Sweden, and with a warning where it is missing in Norway', async () => {
    const regulatoryReporting = { code: '101', information: 'Varor' }
    expect(await send('MALBSESS', { ...orderAt('MALBSESS', 'EUR'), regulatoryReporting })).toMatchObject({
      status: 422,
      body: [{ code: 'InvalidRequest', path: '.regulatoryReporting.information' }],
    })
    const large = orderAt('FJORNO22', 'EUR', { amount: { amount: '12000.00', currency: 'EUR' } })
    expect(await send('FJORNO22', { ...large, regulatoryReporting: { code: '14' } })).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'ReportingUnverified', path: '.regulatoryReporting.information' }] },
    })
  })
})

describe('a partner is warned', () => {
  test('when the balance does not cover what is due today, but not for what is due later', async () => {
    const amount = { amount: '70000.00', currency: 'USD' }
    const regulatoryReporting = { code: '14', information: 'Machines' }
    const low = orderAt('FJORNO22', 'USD', { amount, regulatoryReporting })
    expect(await send('FJORNO22', low)).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'BalanceTooLow', path: '.amount' }] },
    })
    const dueDate = gateway.context.clock.today('Europe/Oslo').add({ days: 1 }).toString()
    const later = await send('FJORNO22', { ...low, metadata: { endToEndId: 'later' }, dueDate })
    expect(JSON.stringify(later.body)).not.toContain('BalanceTooLow')
  })

  test('when it does not cover what is due on the next bank day, after 16:00', async () => {
    const today = gateway.context.clock.today('Europe/Oslo')
    const friday = today.add({ days: 12 - today.dayOfWeek })
    const dueDate = nextBankDay(['NO'], friday.add({ days: 1 })).toString()
    const amount = { amount: '70000.00', currency: 'USD' }
    const regulatoryReporting = { code: '14', information: 'Machines' }
    const sendAt = async (plainTime: string) => {
      await passUntil(gateway, friday.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime }).toInstant())
      return await send('FJORNO22', orderAt('FJORNO22', 'USD', { amount, dueDate, regulatoryReporting }))
    }
    expect(JSON.stringify((await sendAt('15:00')).body)).not.toContain('BalanceTooLow')
    expect(await sendAt('16:00')).toMatchObject({ status: 200, body: { warnings: [{ code: 'BalanceTooLow' }] } })
    await payer.nextMorning()
  })

  test('when the due date is not a bank day', async () => {
    const today = gateway.context.clock.today('Europe/Oslo')
    const sunday = today.add({ days: 7 - today.dayOfWeek })
    const bankDay = nextBankDay(['NO', 'TARGET'], sunday)
    expect(await send('FJORNO22', orderAt('FJORNO22', 'EUR', { dueDate: sunday.toString() }))).toMatchObject({
      status: 200,
      body: {
        warnings: [{ code: 'DueDateMoved', path: '.dueDate', expectedExecutionDate: bankDay.toString() }],
      },
    })
  })

  test('when the bank does not transmit the debtor’s own text', async () => {
    const remittanceInformation = { message: 'Invoice', debtorReference: 'Maskiner' }
    expect(await send('FJORNO22', orderAt('FJORNO22', 'EUR', { remittanceInformation }))).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'NotCarriedByBank', path: '.remittanceInformation.debtorReference' }] },
    })
    const atMalar = await send('MALBSESS', orderAt('MALBSESS', 'EUR', { remittanceInformation }))
    expect(await heldBy(Object(atMalar.body).paymentId)).toMatchObject({ debtorAccountStatementText: 'Maskiner' })
  })
})

const danish = { streetName: 'Havnegade', buildingNumber: '3', city: 'Aarhus', postCode: '8000', country: 'DK' }
const american = {
  streetName: 'Water Street',
  buildingNumber: '55',
  city: 'New York',
  postCode: '10041',
  country: 'US',
}
const neighbour = germanSupplier
