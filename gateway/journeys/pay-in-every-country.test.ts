/** Journeys of a payment at banks of each country: from the usual account, and from special ones. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isTestedAmong } from '../../sandbox/testing/tested-banks.ts'
import { ibanOf } from '../countries/account-number.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { type NordicBank, testedBanks } from '../testing/banks/nordic-banks.ts'
import { forEachRow } from '../testing/for-each-row.ts'
import { passTime, passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { fromAccount, openPaymentDriver, type PaymentDriver } from '../testing/payments/payment-driver.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../testing/payments/settle-payments.ts'

/** Banks that answer with each format of errors. */
const ERROR_FORMATS = ['HAVBNO22', 'ORESDK22']
/** A redirect; an app; an authorisation that the order begins, with a confirmation code, and accounts by IBAN only. */
const DISTINCT = ['HAVBNO22', 'KATTDK22', 'PAIJFIHH']
const distinctBanks = testedBanks.filter(({ bic }) => isTestedAmong(DISTINCT, bic))
/** All banks one after the other in long runs, on a slow and busy machine. */
const TEST_MILLISECONDS = 300_000

let gateway: TestGateway
let payer: PaymentDriver
let today: Temporal.PlainDate

beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await disablePaymentPolling(gateway)
  today = await payer.nextMorning()
})

const nameOf = ({ bic }: NordicBank) => `At ${bic}`

/** The status of each bank's payment as the partner reads it. */
async function expectStatus(paymentIds: ReadonlyMap<NordicBank, string>, status: object): Promise<void> {
  const found: Record<string, unknown> = {}
  for (const [{ bic }, paymentId] of paymentIds) {
    found[bic] = await payer.statusOf(paymentId)
  }
  const expected = Object.fromEntries([...paymentIds.keys()].map(({ bic }) => [bic, expect.objectContaining(status)]))
  expect(found).toEqual(expected)
}

/** Orders and signs at each bank. */
async function paidAtEach(banks: readonly NordicBank[], changes: Parameters<PaymentDriver['order']>[1] = {}) {
  return await forEachRow(banks, nameOf, async (bank) => {
    const { paymentId, paymentStatus } = await payer.order(bank, changes)
    expect(paymentStatus.status).toBe('Unsigned')
    expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
    return paymentId
  })
}

describe('at banks of each country', { timeout: TEST_MILLISECONDS }, () => {
  test('a supplier is paid from an account of the consent, and on its due date by a payment due later', async () => {
    const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], today.add({ days: 4 })).toString()
    const paidAtOnce = await paidAtEach(testedBanks)
    const dueLater = await paidAtEach(distinctBanks, { dueDate })
    for (const bank of testedBanks) {
      const { accounts } = await gateway.client.listAccounts(await payer.consentOf(bank))
      // Some banks return IBANs only, and some Swedish IBANs do not contain the account number.
      expect(accounts.map(({ bban, iban }) => bban || iban)).toContainEqual(
        expect.toBeOneOf([bank.main, ibanOf(bank.countryCode, bank.main)]),
      )
    }
    await passTime(gateway, 'PT48H')
    await expectStatus(paidAtOnce, { status: 'Completed' })
    for (const paymentId of paidAtOnce.values()) {
      const { statusHistory } = await gateway.client.getPayment({ params: { paymentId } })
      expect(statusHistory.map(({ status }) => status).filter(isNew)).toEqual(['Unsigned', 'InProgress', 'Completed'])
    }
    await expectStatus(dueLater, { status: 'InProgress' })
    await passUntil(gateway, Temporal.Instant.from(`${dueDate}T12:00:00Z`).add({ hours: 24 }))
    await payer.passUntilFinal(dueLater.values())
    await expectStatus(dueLater, { status: 'Completed' })
    expect(gateway.context.clock.now().toString() > `${dueDate}T00`).toBe(true)
  })

  test('an account without SCA pays at once', async () => {
    const paymentIds = await forEachRow(distinctBanks, nameOf, async (bank) => {
      const { paymentId, paymentStatus } = await payer.order(bank, fromAccount(bank, bank.noSigning))
      expect(paymentStatus.status).toBe('InProgress')
      return paymentId
    })
    await payer.passUntilFinal(paymentIds.values())
    await expectStatus(paymentIds, { status: 'Completed' })
  })

  test('an account of two signers waits for the second one, who may reject first: that signs nothing', async () => {
    const partly = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
    const paymentIds = await forEachRow(distinctBanks, nameOf, async (bank) => {
      const [, second] = bank.users
      const { paymentId } = await payer.order(bank, fromAccount(bank, bank.twoSigners))
      expect(await payer.sign(bank, paymentId)).toMatchObject(partly)
      const refusing = await payer.consentOf(bank, second)
      const body = { payments: [paymentId], callbackUrl: CALLBACK }
      const { id } = await gateway.client.approvePayments({ ...refusing, body })
      const params = { approvalId: id, decision: 'reject' } as const
      const { outcome } = await gateway.client.decideSandboxApproval({ params, body: { userId: second } })
      // Some banks do not distinguish rejecting from leaving.
      expect(outcome).toBeOneOf(['rejected', 'cancelled'])
      const approval = await gateway.client.getPaymentApproval({ ...refusing, params: { approvalId: id } })
      expect(approval.status).not.toBe('ACCEPTED')
      return paymentId
    })
    await gateway.sweep()
    await expectStatus(paymentIds, partly)
    for (const [bank, paymentId] of paymentIds) {
      expect(await payer.sign(bank, paymentId, bank.users[1])).toMatchObject({ status: 'InProgress' })
    }
    await payer.passUntilFinal(paymentIds.values())
    await expectStatus(paymentIds, { status: 'Completed' })
  })

  test('an account without funds has its status reported to the partner', async () => {
    const paymentIds = await forEachRow(distinctBanks, nameOf, async (bank) => {
      const amount = { amount: '90000.00', currency: bank.currency }
      const { paymentId } = await payer.order(bank, { ...fromAccount(bank, bank.empty), amount })
      await payer.sign(bank, paymentId)
      return paymentId
    })
    await passTime(gateway, 'PT30M')
    await expectStatus(paymentIds, { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' })
  })

  // `payments-per-bank.test.ts` shows what each bank answers.
  const rejectingBanks = testedBanks.filter(({ bic }) => isTestedAmong(ERROR_FORMATS, bic))

  test('an account that the user may only read pays nothing', async () => {
    await forEachRow(rejectingBanks, nameOf, async (bank) => {
      const rejected = payer.order(bank, fromAccount(bank, bank.viewOnly))
      await expect(rejected).rejects.toMatchObject({ status: 400, failure: 'ACCESS_DENIED' })
    })
  })

  test('a user with read access only pays nothing', async () => {
    await forEachRow(rejectingBanks, nameOf, async (bank) => {
      const [, , viewer] = bank.users
      const rejected = payer.order(bank, {}, viewer)
      await expect(rejected).rejects.toMatchObject({ status: 400, failure: 'ACCESS_DENIED' })
    })
  })
})

/** Banks report a status with different codes while it stays the same. */
function isNew(status: string, index: number, all: readonly string[]): boolean {
  return status !== all[index - 1]
}
