/** Tests that orders in Sweden, Denmark and Finland reach their banks in every form, and what is rejected. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { banksOfEachKind } from '../../sandbox/testing/tested-banks.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { countSideEffects, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent } from '../testing/payments/sample-payments.ts'

const OPERATION = ['POST', '/api/v2/payments'] as const
const COUNTRIES = {
  SE: {
    company: '559990-1005',
    name: 'Norrsken Handel AB',
    currency: 'SEK',
    user: '199081150100',
    onlySees: '199283170300',
  },
  DK: {
    company: '99001100',
    name: 'Nordstjernen Handel ApS',
    currency: 'DKK',
    user: 'freja.jensen',
    onlySees: 'ida.krogh',
  },
  FI: { company: '9900110-9', name: 'Revontuli Kauppa Oy', currency: 'EUR', user: '10020030', onlySees: '10020052' },
} as const
const MAIN = {
  MALBSESS: ['SE', '7990-1000017'],
  VASASESS: ['SE', '5990-1000017'],
  SKARSESS: ['SE', '6990-100 000 010'],
  ORESDK22: ['DK', '5960 0001100011'],
  BLTBDK22: ['DK', '9634 0001100011'],
  LIMFDK22: ['DK', '98390001100011'],
  SAIMFIHH: ['FI', '405500-01000013'],
  AURAFIHH: ['FI', '79960001000018'],
} as const
type Bic = keyof typeof MAIN
const BICS = Object.keys(MAIN).filter((bic): bic is Bic => bic in MAIN)
const SATURDAY = 6
const FORM_71 = '+71<000100017156728+89900120<'

let gateway: TestGateway
const headersAt = new Map<Bic, Record<string, string>>()
let count = 0
beforeAll(async () => {
  gateway = await startTestGateway()
  for (const bic of BICS) {
    const { company, user } = COUNTRIES[MAIN[bic][0]]
    const { consentId } = await acceptedConsent(gateway, user, { bic, organizationNumber: company })
    headersAt.set(bic, await validHeaders(gateway, consentId))
  }
})
afterAll(() => gateway.close())

/** An order due on a bank day far enough ahead; the bank that rejects duplicates never sees an amount twice. */
function orderAt(bic: Bic, to: string, more: object = {}) {
  count += 1
  const [country, bban] = MAIN[bic]
  const { name, currency } = COUNTRIES[country]
  return {
    metadata: { endToEndId: `INV-${count}` },
    from: { account: { type: 'bban', bban }, contactInformation: { name }, currency },
    to: { account: { type: 'bban', bban: to }, contactInformation: { name: 'Granskog' } },
    amount: { amount: `${count}.17`, currency },
    dueDate: dueDate(),
    ...(typeof more === 'function' ? more() : more),
  }
}

const soon = () => gateway.context.clock.today('Europe/Stockholm').add({ weeks: 3 })
const dueDate = () => nextBankDay(['SE', 'DK', 'FI'], soon()).toString()
const saturday = () => ({
  dueDate: soon()
    .add({ days: SATURDAY - (soon().dayOfWeek % 7) })
    .toString(),
})

const send = async (bic: Bic, body: object, headers: object = {}) =>
  await sendRawRequest(gateway, OPERATION, { headers: { ...headersAt.get(bic), ...headers }, body })
const ocr = (value: string) => ({ remittanceInformation: { type: 'ocr', value } })
const fik = (parts: object) => ({ remittanceInformation: { type: 'fik', ...parts } })
const message = (value: string) => ({ remittanceInformation: { type: 'message', value } })

describe('an order is accepted', () => {
  const VALID: readonly [bic: Bic, what: string, to: string, more: object][] = [
    ['MALBSESS', 'to an account', '7990-2000010', message('Faktura 1')],
    ['MALBSESS', 'to an account at the bank, with the longest message', '79902000010', message('x'.repeat(35))],
    ['MALBSESS', 'to another bank, with the longest message', '59902000010', message('x'.repeat(12))],
    [
      'MALBSESS',
      'to an account that shares its bank, with a message of the same length',
      '832790333953909',
      message('x'.repeat(35)),
    ],
    ['MALBSESS', 'to a Bankgiro number with the longest message', '5990-0019', message('x'.repeat(35))],
    ['MALBSESS', 'to a Bankgiro number with its OCR', '5990-0035', ocr('1230')],
    ['MALBSESS', 'to a Plusgiro number with the usual spaces', 'PG 59 90 01-5', message('Faktura 2')],
    ['VASASESS', 'to an account', '59902000010', message('Faktura 3')],
    ['VASASESS', 'to a Bankgiro number without a hyphen', '59900019', message('Faktura 4')],
    ['VASASESS', 'to a Plusgiro number with its OCR', '599002-3', ocr('1230')],
    ['SKARSESS', 'from an account that the bank names by its IBAN alone', '6990-200 000 012', message('Faktura 5')],
    ['ORESDK22', 'to an account', '5960 1200011', message('Faktura på tømmer')],
    ['ORESDK22', 'by a printed form', '89900120', fik({ value: FORM_71 })],
    [
      'ORESDK22',
      'by the parts of a form, with its message',
      '8990 0138',
      fik({ cardType: '73', creditorNumber: '89900138', message: 'Faktura 6' }),
    ],
    ['BLTBDK22', 'to an account', '9634 1200011', message('Faktura 7')],
    ['LIMFDK22', 'to an account', '9839 1200011', message('Faktura 8')],
    ['SAIMFIHH', 'with the letters of Finnish names', '40550002000012', message('Lasku, Mäki')],
    ['SAIMFIHH', 'to an IBAN with a viitenumero', 'FI81 4055 0002 0000 12', ocr('1234561')],
    ['SAIMFIHH', 'to an IBAN with a wrong inner check digit', 'FI85 7981 2345 6789 00', message('Lasku 7')],
    ['AURAFIHH', 'to a domestic number with an RF reference', '79960002000017', ocr('RF18 5390 0754 7034')],
  ]

  test('in every form, and stored once', async () => {
    const heldBefore = Number((await countSideEffects(gateway))['payments'])
    await forEachRow(
      VALID,
      ([bic, what]) => `at ${bic} ${what}`,
      async ([bic, _what, to, more]) => {
        const answer = await send(bic, orderAt(bic, to, more))
        expect(answer).toMatchObject({ status: 200, body: { paymentStatus: { status: 'Unsigned' } } })
      },
    )
    expect(Number((await countSideEffects(gateway))['payments'])).toBe(heldBefore + VALID.length)
  })

  test('with each purpose that there is', async () => {
    for (const purposeCode of ['SUPP', 'TAXS', 'SALA', 'VATX', 'OTHR']) {
      expect(await send('SAIMFIHH', orderAt('SAIMFIHH', '40550002000012', { purposeCode }))).toMatchObject({
        status: 200,
      })
    }
  })

  test('with a warning for a bare giro number, the same again under the same key, byte for byte', async () => {
    const body = orderAt('VASASESS', '59900019')
    const key = { 'idempotency-key': 'warned-once' }
    const [first, again] = [await send('VASASESS', body, key), await send('VASASESS', body, key)]
    expect(first).toMatchObject({
      status: 200,
      body: { warnings: [{ code: 'AccountNumberUnverified', path: '.to.account.bban' }] },
    })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
  })
})

describe('an order is rejected, and the bank is not called', () => {
  const WRONG: readonly [bic: Bic, what: string, to: string, more: object, code: string, path: string][] = [
    [
      'SKARSESS',
      'for a Bankgiro number where the bank does not support them',
      '5990-0019',
      {},
      'InvalidAccountNumber',
      '.to.account.bban',
    ],
    [
      'MALBSESS',
      'for a Bankgiro number with a wrong check digit',
      '5990-0018',
      {},
      'InvalidAccountNumber',
      '.to.account.bban',
    ],
    [
      'MALBSESS',
      'for a message that the bank accepts only within itself',
      '59902000010',
      message('Faktura 20455'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
    ],
    [
      'MALBSESS',
      'for a malformed OCR',
      '5990-0035',
      ocr('1231'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
    ],
    [
      'ORESDK22',
      'for a payment form of another creditor',
      '89900138',
      fik({ value: FORM_71 }),
      'InvalidAccountNumber',
      '.to.account.bban',
    ],
    [
      'ORESDK22',
      'for a form with a wrong check digit',
      '89900120',
      fik({ value: '+71<000100017156723+89900120<' }),
      'InvalidRemittanceInfo',
      '.remittanceInformation',
    ],
    [
      'ORESDK22',
      'for a payment form that is neither line nor parts',
      '89900120',
      fik({ cardType: '71' }),
      'InvalidRemittanceInfo',
      '.remittanceInformation',
    ],
    [
      'ORESDK22',
      'for an unknown card type',
      '89900120',
      fik({ cardType: '72', creditorNumber: '89900120' }),
      'InvalidRemittanceInfo',
      '.remittanceInformation.cardType',
    ],
    [
      'BLTBDK22',
      'for a day on which the bank is closed and rejects orders',
      '9634 1200011',
      saturday,
      'InvalidDueDate',
      '.dueDate',
    ],
    [
      'ORESDK22',
      'for a salary on such a day',
      '5960 1200011',
      () => ({ ...saturday(), purposeCode: 'SALA' }),
      'InvalidDueDate',
      '.dueDate',
    ],
    [
      'SAIMFIHH',
      'for a Finnish number with a wrong check digit',
      '40550002000013',
      {},
      'InvalidAccountNumber',
      '.to.account.bban',
    ],
    [
      'SAIMFIHH',
      'for letters that Finnish names do not contain',
      '40550002000012',
      message('Lasku, Kjøp'),
      'InvalidCharacters',
      '.remittanceInformation.value',
    ],
    [
      'SAIMFIHH',
      'for a viitenumero with a wrong check digit',
      '40550002000012',
      ocr('1234562'),
      'InvalidRemittanceInfo',
      '.remittanceInformation.value',
    ],
    [
      'SAIMFIHH',
      'for a foreign currency',
      '40550002000012',
      { amount: { amount: '1.00', currency: 'SEK' } },
      'InvalidAmount',
      '.amount.currency',
    ],
  ]

  test('for each error, at its path', async () => {
    const before = await countSideEffects(gateway)
    await forEachRow(
      WRONG,
      ([bic, what]) => `at ${bic} ${what}`,
      async ([bic, _what, to, more, code, path]) =>
        expect(await send(bic, orderAt(bic, to, more))).toMatchObject({ status: 422, body: [{ code, path }] }),
    )
    expect(await countSideEffects(gateway)).toEqual(before)
  })

  test.each<[bic: Bic, bban: string]>([
    ['MALBSESS', '5990-0019'],
    ['SKARSESS', 'SE4450000000054391024039'],
    ['ORESDK22', '1234'],
    ['SAIMFIHH', 'FI2212345600000785'],
  ])('at %s for the debtor account %s: InvalidBBAN', async (bic, bban) => {
    const order = orderAt(bic, '7990-2000010')
    const answer = await send(bic, { ...order, from: { ...order.from, account: { type: 'bban', bban } } })
    expect(answer).toMatchObject({ status: 422 })
    const error = { code: 'InvalidBBAN', path: '.from.account.bban', reason: expect.any(String) }
    expect(answer.body).toContainEqual(expect.objectContaining(error))
  })
})

describe('the bank rejects', () => {
  test.each<[bic: Bic, to: string, more: object]>([
    ['MALBSESS', '5990-0035', message('Faktura')],
    ['VASASESS', '599002-3', message('Faktura')],
  ])(
    'at %s an order to %s, which requires an OCR, without one: INVALID_OCR, and nothing is stored',
    async (bic, to, more) => {
      const { payments, history } = await countSideEffects(gateway)
      const answer = await send(bic, orderAt(bic, to, more))
      expect(answer).toMatchObject({ status: 400, body: { failure: 'INVALID_OCR' } })
      expect(await countSideEffects(gateway)).toMatchObject({ payments, history, running: 0n })
    },
  )

  const kinds = ['MALBSESS', 'ORESDK22', 'SAIMFIHH'] as const
  const banks = banksOfEachKind<Bic>(kinds, ['VASASESS', 'SKARSESS', 'BLTBDK22', 'LIMFDK22', 'AURAFIHH'])

  test.each(banks)('at %s an order from an account that its user may only view: ACCESS_DENIED', async (bic) => {
    const [country] = MAIN[bic]
    const { company, onlySees } = COUNTRIES[country]
    const { consentId } = await acceptedConsent(gateway, onlySees, { bic, organizationNumber: company })
    const to = { SE: '7990-2000010', DK: '5960 1200011', FI: '40550002000012' }[country]
    const answer = await send(bic, orderAt(bic, to), { 'consent-id': consentId })
    expect(answer).toMatchObject({ status: 400, body: { failure: 'ACCESS_DENIED' } })
  })
})
