/** A payment at every bank of the sandbox, from consent to settlement, and what its special accounts do. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ibanOf } from '../countries/account-number.ts'
import { nextBankDay } from '../countries/bank-days.ts'
import { nordicBanks } from '../testing/nordic-banks.ts'
import { fromAccount, openPayer, type Payer } from '../testing/payer.ts'
import { CALLBACK } from '../testing/samples.ts'
import { readNoPayments } from '../testing/settling-payments.ts'
import { startWholeGateway, type WholeGateway } from '../testing/whole-gateway.ts'

let gateway: WholeGateway
let payer: Payer
let today: Temporal.PlainDate

beforeAll(async () => {
  gateway = await startWholeGateway()
  payer = openPayer(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await readNoPayments(gateway)
  today = await payer.nextMorning()
})

describe.each(nordicBanks)('$bic ($countryCode)', (bank) => {
  test('a supplier is paid', async () => {
    const { accounts } = await gateway.client.listAccounts(await payer.consentOf(bank))
    // Some banks show IBANs alone, and from some Swedish IBANs the account number cannot be told.
    expect(accounts.map(({ bban, iban }) => bban || iban)).toContainEqual(
      expect.toBeOneOf([bank.main, ibanOf(bank.countryCode, bank.main)]),
    )
    const { paymentId, paymentStatus } = await payer.order(bank)
    expect(paymentStatus.status).toBe('Unsigned')
    expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
    expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
    const { statusHistory } = await gateway.client.getPayment({ params: { paymentId } })
    expect(statusHistory.map(({ status }) => status).filter(isNew)).toEqual(['Unsigned', 'InProgress', 'Completed'])
  })

  test('a payment due later waits for its day', async () => {
    const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], today.add({ days: 4 }))
    const { paymentId } = await payer.order(bank, { dueDate: dueDate.toString() })
    expect(await payer.sign(bank, paymentId)).toMatchObject({ status: 'InProgress' })
    await gateway.client.moveSandboxClock({ body: { advance: 'P2D' } })
    expect(await payer.statusOf(paymentId)).toMatchObject({ status: 'InProgress' })
    await gateway.client.moveSandboxClock({ body: { set: `${dueDate}T05:00:00Z` } })
    expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
  })

  test('an account that needs no signing pays at once', async () => {
    const { paymentId, paymentStatus } = await payer.order(bank, fromAccount(bank, bank.noSigning))
    expect(paymentStatus.status).toBe('InProgress')
    expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
  })

  test('an account of two signers waits for the second one', async () => {
    const [, second] = bank.users
    const { paymentId } = await payer.order(bank, fromAccount(bank, bank.twoSigners))
    const partly = { status: 'CustomerActionRequired', statusReason: 'PartlySigned' }
    expect(await payer.sign(bank, paymentId)).toMatchObject(partly)
    expect(await payer.sign(bank, paymentId, second)).toMatchObject({ status: 'InProgress' })
    expect(await payer.settled(paymentId)).toMatchObject({ status: 'Completed' })
  })

  test('a second signer who refuses has signed nothing, and it stays partly signed', async () => {
    const [, second] = bank.users
    const { paymentId } = await payer.order(bank, fromAccount(bank, bank.twoSigners))
    await payer.sign(bank, paymentId)
    const refusing = await payer.consentOf(bank, second)
    const body = { payments: [paymentId], callbackUrl: CALLBACK }
    const { id } = await gateway.client.approvePayments({ ...refusing, body })
    const params = { approvalId: id, decision: 'reject' } as const
    const { outcome } = await gateway.client.decideSandboxApproval({ params, body: { userId: second } })
    // Some banks do not tell refusing from leaving.
    expect(outcome).toBeOneOf(['rejected', 'cancelled'])
    const approval = await gateway.client.getPaymentApproval({ ...refusing, params: { approvalId: id } })
    expect(approval.status).not.toBe('ACCEPTED')
    await gateway.sweep()
    expect(await payer.statusOf(paymentId)).toMatchObject({ statusReason: 'PartlySigned' })
  })

  test('an account without the money has the partner told so', async () => {
    const amount = { amount: '90000.00', currency: bank.currency }
    const { paymentId } = await payer.order(bank, { ...fromAccount(bank, bank.empty), amount })
    await payer.sign(bank, paymentId)
    await gateway.client.moveSandboxClock({ body: { advance: 'PT30M' } })
    const short = { status: 'CustomerActionRequired', statusReason: 'InsufficientFunds' }
    expect(await payer.statusOf(paymentId)).toMatchObject(short)
  })

  test('an account that the user may only look at pays nothing', async () => {
    const refused = payer.order(bank, fromAccount(bank, bank.viewOnly))
    await expect(refused).rejects.toMatchObject({ status: 400, failure: 'ACCESS_DENIED' })
  })

  test('a user who may only look pays nothing', async () => {
    const [, , viewer] = bank.users
    const refused = payer.order(bank, {}, viewer)
    await expect(refused).rejects.toMatchObject({ status: 400, failure: 'ACCESS_DENIED' })
  })
})

/** Banks word a status differently while it stays the same. */
function isNew(status: string, index: number, all: readonly string[]): boolean {
  return status !== all[index - 1]
}
