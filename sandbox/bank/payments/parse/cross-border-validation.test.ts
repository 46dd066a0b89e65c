/** Tests cross-border payments: what the banks accept and reject, and which account is credited. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bankTestClient, errorSummary, MONDAY } from '../../../testing/bank-test-client.ts'
import { startTestBank, type TestBank } from '../../../testing/test-bank.ts'
import { headersOf } from '../../../testing/third-party.ts'
import { makeIban } from '../../national/check-digits.ts'

let tested: TestBank
const at = (bic: string) => bankTestClient(() => tested, bic)
beforeAll(async () => {
  tested = await startTestBank()
  await at('FJORNO22').tpp.control('POST', '/clock', { now: MONDAY })
})
afterAll(() => tested.close())

const BANKS = {
  FJORNO22: ['cross-border-credit-transfers', '80501100076', 'EUR', 'iban'],
  VSKYNO22: ['norwegian-cross-border-credit-transfers', '80521100072', 'EUR', 'bban'],
  MALBSESS: ['se-international-credit-transfers', '79901000076', 'EUR', 'iban'],
  ORESDK22: ['cross-border-credit-transfers', '59600001100066', 'EUR', 'iban'],
} as const
type Bic = keyof typeof BANKS
const BICS = Object.keys(BANKS).filter((bic): bic is Bic => bic in BANKS)
const GERMAN = 'DE89370400440532013000'

let count = 0
async function place(bic: Bic, changes: object = {}) {
  count += 1
  const [product, bban, currency, member] = BANKS[bic]
  const order = {
    debtorAccount: { bban },
    instructedAmount: { currency, amount: `${count}.00` },
    creditorAccount: { [member]: GERMAN },
    creditorName: 'Elbe Werkzeug GmbH',
    creditorAgent: 'COBADEFFXXX',
    creditorAddress: { townName: 'Hamburg', country: 'DE' },
    remittanceInformationUnstructured: `Invoice ${count}`,
    remittanceInformationUnstructuredArray: undefined,
    endToEndIdentification: undefined,
    requestedExecutionDate: undefined,
    ...changes,
  }
  return await at(bic).place(order, {}, `/payments/${product}`)
}

describe.each(BICS)('%s', (bic) => {
  test('accepts an order in the currency of the account', async () => {
    const made = await place(bic)
    expect(made.status).toBe(201)
    const [product, bban] = BANKS[bic]
    const held = await at(bic).tpp.send('GET', `/payments/${product}/${made.text('paymentId')}`)
    expect(held.body).toMatchObject({ debtorAccount: { bban }, creditorAgent: 'COBADEFFXXX' })
  })

  test.each<[what: string, changes: object, path: string]>([
    ['an invalid IBAN', { creditorAccount: { iban: 'DE00370400440532013000' } }, 'creditorAccount'],
    ['no bank of the creditor', { creditorAgent: undefined }, 'creditorAgent'],
    ['no address', { creditorAddress: undefined }, 'creditorAddress'],
    ['an address without a town', { creditorAddress: { country: 'DE' } }, 'creditorAddress'],
    ['unsupported letters', { creditorName: 'Bjørn Åse' }, 'creditorName'],
    [
      'a message with unsupported letters',
      { remittanceInformationUnstructured: 'Kjøp' },
      'remittanceInformationUnstructured',
    ],
    [
      'another currency than that of the account',
      { instructedAmount: { currency: 'CHF', amount: '1.00' } },
      'instructedAmount',
    ],
    ['an amount of zero', { instructedAmount: { currency: 'EUR', amount: '0.00' } }, 'instructedAmount'],
    ['unknown charges', { chargeBearer: 'XXXX' }, 'chargeBearer'],
  ])('rejects %s', async (_what, changes, path) => {
    expect(errorSummary(await place(bic, changes))).toEqual([400, 'FORMAT_ERROR', path])
  })
})

describe('the other format of an IBAN', () => {
  test('is rejected where the product has no field for it', async () => {
    expect(errorSummary(await place('VSKYNO22', { creditorAccount: { iban: GERMAN } }))).toEqual([
      400,
      'FORMAT_ERROR',
      'creditorAccount',
    ])
  })
})

describe('the regulatory reporting', () => {
  const kroner = { debtorAccount: { bban: '80501100017' } }
  const krona = { debtorAccount: { bban: '79901000017' } }

  test.each<[bic: Bic, amount: string, more: object, reported: boolean]>([
    ['FJORNO22', '100000.00', kroner, true],
    ['FJORNO22', '100000.01', kroner, false],
    ['FJORNO22', '100000.01', { ...kroner, regulatoryReportingCode: '14' }, true],
    ['MALBSESS', '150000.00', krona, true],
    ['MALBSESS', '150000.01', krona, false],
    ['MALBSESS', '150000.01', { ...krona, regulatoryReportingCode: '101' }, true],
  ])('at %s for %s with %j', async (bic, amount, more, reported) => {
    const currency = bic === 'FJORNO22' ? 'NOK' : 'SEK'
    const reply = await place(bic, { instructedAmount: { currency, amount }, ...more })
    expect(reported ? reply.status : errorSummary(reply)).toEqual(
      reported ? 201 : [400, 'FORMAT_ERROR', 'regulatoryReportingCode'],
    )
  })

  test.each<[bic: Bic, more: object, path: string]>([
    ['FJORNO22', { regulatoryReportingCode: '101' }, 'regulatoryReportingCode'],
    ['MALBSESS', { regulatoryReportingCode: '14' }, 'regulatoryReportingCode'],
    [
      'MALBSESS',
      { regulatoryReportingCode: '101', regulatoryReportingInformation: 'Varor' },
      'regulatoryReportingInformation',
    ],
    ['ORESDK22', { regulatoryReportingCode: '14' }, 'regulatoryReportingCode'],
  ])('is rejected at %s as %j', async (bic, more, path) => {
    expect(errorSummary(await place(bic, more))).toEqual([400, 'FORMAT_ERROR', path])
  })
})

test.each(['FJORNO22', 'VSKYNO22'] as const)(
  '%s rejects a payment to the account that it is paid from',
  async (bic) => {
    const [, bban, , member] = BANKS[bic]
    const rejected = await place(bic, { creditorAccount: { [member]: makeIban('NO', bban) } })
    expect(errorSummary(rejected)).toEqual([400, 'FORMAT_ERROR', 'creditorAccount'])
  },
)

describe('a basket', () => {
  test('of a bank that signs domestic payments together contains no others', async () => {
    const { tpp, bank } = at('MALBSESS')
    const ids = [(await place('MALBSESS')).text('paymentId'), (await at('MALBSESS').place()).text('paymentId')]
    const { status, body } = await tpp.send('POST', '/signing-baskets', {
      body: { paymentIds: ids },
      headers: headersOf(bank),
    })
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('REFERENCE_MIX_INVALID')
  })
})

describe('the amount', () => {
  test('leaves the account, and arrives on one of this fixture in the same currency', async () => {
    const { tpp } = at('FJORNO22')
    const [from, to] = [BANKS.FJORNO22[1], BANKS.ORESDK22[1]]
    const balances = async () => {
      const { body } = await tpp.control('GET', '/accounts')
      const accounts: readonly { bban: string; balance: string }[] = Array.isArray(body) ? body : []
      return [from, to].map((bban) => Number(accounts.find((account) => account.bban === bban)?.balance))
    }
    const [held = 0, there = 0] = await balances()
    const made = await place('FJORNO22', {
      creditorAccount: { iban: makeIban('DK', to) },
      instructedAmount: { currency: 'EUR', amount: '250.50' },
    })
    const path = `/payments/${BANKS.FJORNO22[0]}/${made.text('paymentId')}`
    await tpp.sign(`${path}/authorisations`)
    await tpp.control('POST', `/payments/${made.text('paymentId')}/settle`, {})
    expect((await tpp.send('GET', `${path}/status`)).body).toMatchObject({ transactionStatus: 'ACSC' })
    expect(await balances()).toEqual([held - 250.5, there + 250.5])
  })
})
