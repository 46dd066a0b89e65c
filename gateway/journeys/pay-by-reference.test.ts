/** Journeys of payments with structured references of each country, with creditors that require one, and with purpose codes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RemittanceInformation } from '../../contract/payments/remittance.ts'
import { isTestedAmong } from '../../sandbox/testing/tested-banks.ts'
import { nordicBank, nordicBanks } from '../testing/banks/nordic-banks.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { fromAccount, openPaymentDriver, type PaymentDriver, toAccount } from '../testing/payments/payment-driver.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let payer: PaymentDriver

beforeAll(async () => {
  // The bank looks at each booked payment whether it is to be reported to the FX provider; none of these is.
  gateway = await startTestGateway({ fxUrl: 'http://127.0.0.1:9' })
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
})
afterAll(() => gateway.close())
const ocr = (value: string): RemittanceInformation => ({ type: 'ocr', value })
const message = (value: string): RemittanceInformation => ({ type: 'message', value })
const fik = (value: string): RemittanceInformation => ({ type: 'fik', value })

const PAID = [
  ['a KID at SpareBank 1', 'FJELNO22', '80513000026', ocr('01290865')],
  ['a KID at Sparebanken Norge', 'VSKYNO22', '80523000024', ocr('2345676')],
  ['a KID of modulus 11 at DNB', 'HAVBNO22', '80533000022', ocr('12345678903')],
  ['a Bankgiro with a message', 'MALBSESS', '5990-0019', message('Order 4711')],
  ['a Bankgiro of the soft level with a message', 'MALBSESS', '59900027', message('Order 4711')],
  ['a Bankgiro of the hard level with its OCR', 'VASASESS', 'BG 5990-0035', ocr('4564')],
  ['a Bankgiro that requires the length digit', 'MALBSESS', '5990-0043', ocr('123456789023')],
  ['a Bankgiro of fixed lengths', 'VASASESS', '5990-0050', ocr('1234567897')],
  ['a Plusgiro with a message', 'MALBSESS', '599001-5', message('Order 4711')],
  ['a Plusgiro with its OCR', 'VASASESS', 'PG 599002-3', ocr('4564')],
  ['a Bankgiro of no account of the sandbox', 'MALBSESS', '5402-9681', message('Order 4711')],
  ['a Plusgiro of no account of the sandbox', 'VASASESS', '902003-3', message('Order 4711')],
  ['a payment form 71', 'ORESDK22', '89900120', fik('+71<000100017156728+89900120<')],
  ['a payment form 71 in parts', 'BLTBDK22', '89900120', split('71', '000100017156728', '89900120')],
  ['a payment form 73 with a message', 'LIMFDK22', '89900138', split('73', undefined, '89900138', 'Faktura 4711')],
  ['a payment form 75', 'ORESDK22', '89900138', split('75', '0000001234567897', '89900138', 'Faktura 4711')],
  ['a giro form 01 with a message', 'BLTBDK22', '9900120', split('01', undefined, '9900120', 'Faktura 4711')],
  ['a giro form 04', 'ORESDK22', '9900120', split('04', '2150263480000023', '9900120')],
  ['a giro form 15', 'ORESDK22', '9900138', split('15', '2150263480000023', '9900138')],
  ['a viitenumero', 'SAIMFIHH', '40550002000012', ocr('12 34561')],
  ['a creditor reference (RF)', 'AURAFIHH', '79960002000017', ocr('RF18 5390 0754 7034')],
] as const

test('a payment with each reference is paid', async () => {
  const paymentIds = await forEachRow(
    PAID,
    ([what]) => what,
    async ([, bic, account, remittanceInformation]) => {
      const bank = nordicBank(bic)
      // How an order is signed does not depend on its reference.
      const from = fromAccount(bank, bank.noSigning)
      const to = toAccount(account, bank.supplierName)
      const { paymentId } = await payer.order(bank, { ...from, ...to, remittanceInformation })
      const stored = await gateway.client.getPayment({ params: { paymentId } })
      expect(stored).toMatchObject({ to: { account: { bban: account } }, remittanceInformation })
      return paymentId
    },
  )
  await payer.passUntilFinal(paymentIds.values())
  for (const [[what], paymentId] of paymentIds) {
    expect(await payer.statusOf(paymentId), what).toMatchObject({ status: 'Completed' })
  }
})

test('the user sees the line and the message of a payment form before signing', async () => {
  const bank = nordicBank('ORESDK22')
  const remittanceInformation = split('75', '1234567897', '89900138', 'Faktura 4712')
  const { paymentId } = await payer.order(bank, { ...toAccount('89900138', bank.supplierName), remittanceInformation })
  const body = { payments: [paymentId], callbackUrl: CALLBACK }
  const { sca } = await gateway.client.approvePayments({ ...(await payer.consentOf(bank)), body })
  const page = await (await fetch(sca?.type === 'redirect' ? sca.url : '')).text()
  expect(page).toContain('+75&#60;1234567897+89900138&#60;')
  expect(page).toContain('Faktura 4712')
})

describe('is rejected as INVALID_OCR, because the creditor requires another reference', () => {
  test.each([
    ['a message instead of a required KID', 'FJELNO22', '80513000026', message('Hei')],
    ['a message instead of a required KID, at a bank with problem details', 'HAVBNO22', '80533000022', message('Hei')],
    ['a message instead of a required KID, at a bank with another code', 'VSKYNO22', '80523000024', message('Hei')],
    ['a message at a Bankgiro of the hard level', 'MALBSESS', '5990-0035', message('Hej')],
    ['an OCR without the length digit', 'VASASESS', '5990-0043', ocr('4564')],
    ['an OCR of another length', 'MALBSESS', '5990-0050', ocr('4564')],
  ] as const)('%s', async (_what, bic, account, remittanceInformation) => {
    const bank = nordicBank(bic)
    const rejected = payer.order(bank, { ...toAccount(account, bank.supplierName), remittanceInformation })
    await expect(rejected).rejects.toMatchObject({ status: 400, failure: 'INVALID_OCR' })
  })
})

const PURPOSES = ['SUPP', 'TAXS', 'SALA', 'VATX', 'OTHR'] as const
/** Banks whose product has no field for a purpose code. */
const WITHOUT = ['MALBSESS']
const purposeBanks = nordicBanks.filter(({ bic }) => isTestedAmong(['HAVBNO22', ...WITHOUT], bic))

test.each(purposeBanks)('$bic has the purpose code of each payment as the partner gave it', async (bank) => {
  const { currency } = bank
  for (const [n, purposeCode] of PURPOSES.entries()) {
    // Amounts differ, because some banks reject an order that equals an earlier one.
    const { paymentId } = await payer.order(bank, { purposeCode, amount: { amount: `${n + 1}.00`, currency } })
    expect(await gateway.client.getPayment({ params: { paymentId } })).toMatchObject({ purposeCode })
    expect(await heldAtBank(paymentId)).toBe(WITHOUT.includes(bank.bic) ? null : purposeCode)
  }
})

/** The purpose in the order as the bank received it. */
async function heldAtBank(paymentId: string): Promise<string | null | undefined> {
  const { rows } = await gateway.context.database.pool.query<{ purpose: string | null }>(
    `select held.body->>'purposeCode' as purpose from sandbox_bank.payments held
     join payments ours on ours.bank_payment_id = held.id::text and ours.bic = held.bank
     where ours.id = $1`,
    [paymentId],
  )
  return rows[0]?.purpose
}

function split(
  cardType: '01' | '04' | '15' | '71' | '73' | '75',
  paymentId: string | undefined,
  creditorNumber: string,
  text?: string,
): RemittanceInformation {
  return {
    type: 'fik',
    cardType,
    creditorNumber,
    ...(paymentId === undefined ? {} : { paymentId }),
    ...(text === undefined ? {} : { message: text }),
  }
}
