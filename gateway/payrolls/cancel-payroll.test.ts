/** Tests cancelling payrolls: what the bank cancels is cancelled, and what it does not is reported. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { PayrollCancellationRequest } from '../../contract/payrolls/payroll-approval-operations.ts'
import { requireBank } from '../banks/directory/bank-directory.ts'
import { consentActorOf } from '../consents/consent.ts'
import { type NordicBank, nordicBank } from '../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { openBrowser } from '../testing/browser/bank-user.ts'
import { UNKNOWN_ID } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { passUntil } from '../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'
import { openPayrollFixture, PAYROLL_BANKS, type PayrollFixture } from '../testing/payrolls/payroll-fixture.ts'
import { payrollCaller } from '../testing/payrolls/payroll-initiation-context.ts'
import { cancelPayroll } from './cancel-payroll.ts'

const fjell = nordicBank(PAYROLL_BANKS.bulk)
const vestkyst = nordicBank(PAYROLL_BANKS.bulkOwnIds)
const baskets = nordicBank(PAYROLL_BANKS.baskets)
const chain = nordicBank(PAYROLL_BANKS.chain)
const [kari] = vestkyst.users

/** More orders than a worker submits at once. */
const UNFINISHED = 12

let gateway: TestGateway
let stage: PayrollFixture
beforeAll(async () => {
  gateway = await startTestGateway()
  stage = openPayrollFixture(gateway)
  await stage.payer.nextMorning()
})
beforeEach(async () => {
  await openSandboxBankControl(gateway.bank).clearFaults()
  await gateway.context.banks.resetFailures()
})
afterAll(() => gateway.close())

async function ordered(bank: NordicBank, count: number): Promise<string> {
  const dueDate = gateway.context.clock.today('Europe/Helsinki').add({ days: 7 })
  const { payrollId } = await stage.order(bank, stage.payroll(bank, count, { dueDate: monday(dueDate) }))
  await stage.submit()
  const { rows } = await gateway.context.database.pool.query('select state from payrolls where id = $1', [payrollId])
  expect(rows).toEqual([{ state: 'submitted' }])
  return payrollId
}

/** Some day that is no holiday anywhere. */
function monday(day: Temporal.PlainDate): string {
  return day.add({ days: (8 - day.dayOfWeek) % 7 }).toString()
}

type Preference = Pick<PayrollCancellationRequest, 'preferredScaMethod'>

async function cancel(
  bank: NordicBank,
  payrollId: string,
  userId: string = bank.users[0],
  preference: Preference = {},
) {
  const shown = await stage.payer.consentOf(bank, userId)
  return await gateway.client.cancelPayroll({ ...shown, body: { payrollId, callbackUrl: CALLBACK, ...preference } })
}

async function read(bank: NordicBank, id: string) {
  return await gateway.client.getPayrollCancellation({ ...(await stage.payer.consentOf(bank)), params: { id } })
}

async function play(cancellationId: string, decision: 'sign' | 'reject' | 'leave', bank: NordicBank) {
  const params = { cancellationId, decision } as const
  return (await gateway.client.decideSandboxCancellation({ params, body: { userId: bank.users[0] } })).outcome
}

describe('a paid payroll', () => {
  it('cannot be cancelled, and the response says so', async () => {
    const payroll = stage.payroll(fjell, 1)
    const { payrollId } = await stage.order(fjell, payroll)
    await stage.sign(fjell, [payrollId])
    const dayAfter = Temporal.PlainDate.from(payroll.dueDate).add({ days: 1 })
    await passUntil(gateway, `${dayAfter}T07:00:00Z`)
    expect((await stage.statusOf(payrollId)).currentPayrollStatus).toBe('Completed')
    const answer = await cancel(fjell, payrollId)
    expect(answer).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPayrollStatus: 'Completed',
      reason: 'The payroll is already Completed',
    })
    expect(await read(fjell, answer.id)).toEqual(answer)
  })
})

describe('an unsigned payroll', () => {
  it.each([
    ['as one order', fjell, 2],
    ['in single orders', baskets, 2],
    ['one by one', chain, 2],
  ])('that its bank holds %s is cancelled at once', async (_how, bank, count) => {
    const payrollId = await ordered(bank, count)
    const answer = await cancel(bank, payrollId)
    expect(answer).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPayrollStatus: 'Cancelled',
      reason: null,
    })
    expect(await read(bank, answer.id)).toEqual(answer)
    expect(await stage.counts(payrollId)).toEqual({ Cancelled: count })
  })

  it('that its bank does not hold completely is submitted no further, and what the bank holds is cancelled', async () => {
    const control = openSandboxBankControl(gateway.bank)
    await control.postControl('/faults', {
      bank: baskets.bic,
      operation: 'initiatePayment',
      effect: 'slow',
      milliseconds: 300,
    })
    const { payrollId } = await stage.order(baskets, stage.payroll(baskets, UNFINISHED))
    const submitting = stage.submit()
    await eventually(async () => {
      const { rows } = await gateway.context.database.pool.query('select from payments where payroll_id = $1', [
        payrollId,
      ])
      expect(rows).not.toEqual([])
    })
    const answer = await cancel(baskets, payrollId)
    await submitting
    await control.clearFaults()
    expect(answer.cancellationRequestStatus).toBe('ACCEPTED')
    await eventually(async () => {
      await gateway.sweep()
      expect(await stage.counts(payrollId)).toEqual({ Cancelled: UNFINISHED })
    })
    const { rows } = await gateway.context.database.pool.query(
      "select distinct status from payments where payroll_id = $1 and outcome <> 'void'",
      [payrollId],
    )
    expect(rows.filter(({ status }) => status !== 'Cancelled')).toEqual([])
    expect(await read(baskets, answer.id)).toMatchObject({ currentPayrollStatus: 'Cancelled' })
  })

  it('that its bank has in part is submitted further where the bank cancels nothing for third parties', async () => {
    const { context } = gateway
    const bank = await requireBank(context.banks, baskets.bic)
    const products = bank.profile.products.filter((product) => product !== 'PAYMENT_CANCEL')
    const banks = { ...context.banks, find: async () => ({ ...bank, profile: { ...bank.profile, products } }) }
    const fault = { bank: baskets.bic, operation: 'initiatePayment', effect: 'status', status: 429, times: 1 }
    await openSandboxBankControl(gateway.bank).postControl('/faults', fault)
    const { payrollId } = await stage.order(baskets, stage.payroll(baskets, 3))
    await stage.submit()
    const actor = consentActorOf(await payrollCaller(gateway, stage.payer, baskets))
    const answer = await cancelPayroll({ ...context, banks }, actor, { payrollId, callbackUrl: CALLBACK })
    const reason = `${bank.name} does not permit third parties to cancel payrolls`
    expect(answer).toMatchObject({ cancellationRequestStatus: 'REJECTED', reason })
    const { rows } = await context.database.pool.query('select state from payrolls where id = $1', [payrollId])
    expect(rows).toEqual([{ state: 'submitting' }])
  })

  it('is cancelled while its approval waits, which ends the approval', async () => {
    const payrollId = await ordered(fjell, 2)
    const shown = await stage.payer.consentOf(fjell)
    const approval = await gateway.client.approvePayrolls({ ...shown, body: { payrollId, callbackUrl: CALLBACK } })
    expect(await cancel(fjell, payrollId)).toMatchObject({ cancellationRequestStatus: 'ACCEPTED' })
    const params = { approvalId: approval.id }
    expect(await gateway.client.getPayrollApproval({ ...shown, params })).toMatchObject({
      status: 'CANCELLED',
      payrolls: [{ result: 'CANCELLED', currentPayrollStatus: 'Cancelled' }],
    })
  })

  it('is not cancelled while its user signs at the bank', async () => {
    const payrollId = await ordered(fjell, 2)
    const shown = await stage.payer.consentOf(fjell)
    const { sca } = await gateway.client.approvePayrolls({ ...shown, body: { payrollId, callbackUrl: CALLBACK } })
    const browser = openBrowser()
    await browser.get(sca?.url ?? '')
    await browser.get(await browser.post(sca?.url ?? '', {}))
    await expect(cancel(fjell, payrollId)).rejects.toMatchObject({ failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' })
    const { rows } = await gateway.context.database.pool.query(
      'select 1 from payroll_cancellations where payroll_id = $1',
      [payrollId],
    )
    expect(rows).toEqual([])
    expect(await stage.counts(payrollId)).toEqual({ Unsigned: 2 })
  })

  it('that takes its bank longer than a user waits is cancelled further after the response, which shows how far it is', async () => {
    const payrollId = await ordered(chain, 3)
    const control = openSandboxBankControl(gateway.bank, chain.bic)
    await control.holdNextCall('cancelPayment')
    const { clock } = gateway.context
    const { real } = clock
    const cancelling = cancel(chain, payrollId)
    const isRequested = 'select from payroll_cancellations where payroll_id = $1'
    await eventually(async () =>
      expect((await gateway.context.database.pool.query(isRequested, [payrollId])).rows).not.toEqual([]),
    )
    Object.assign(clock, { real: () => real().add({ seconds: 20 }) })
    await control.clearFaults()
    const answer = await cancelling
    Object.assign(clock, { real })
    const id = answer.id
    expect(answer).toEqual({
      ...{ id, currentPayrollStatus: 'Unsigned', reason: null, progress: { answered: 1, orders: 3 } },
    })
    expect(await cancel(chain, payrollId)).toMatchObject({ id })
    await eventually(async () => {
      await gateway.sweep()
      const { cancellationRequestStatus: status, progress } = await read(chain, id)
      expect({ status, progress }).toEqual({ status: 'ACCEPTED', progress: undefined })
    })
    expect(await stage.counts(payrollId)).toEqual({ Cancelled: 3 })
  })

  it('whose bank did not respond can be cancelled again by any user, under the same id', async () => {
    const payrollId = await ordered(fjell, 2)
    await openSandboxBankControl(gateway.bank).postControl('/faults', {
      ...{ bank: fjell.bic, operation: 'cancelBulkPayment', effect: 'drop-connection', times: 1 },
    })
    await openSandboxBankControl(gateway.bank).postControl('/faults', {
      ...{ bank: fjell.bic, operation: '*', effect: 'status', status: 503 },
    })
    await expect(cancel(fjell, payrollId)).rejects.toMatchObject({
      status: 503,
      message: expect.stringContaining('0 of 1 orders'),
    })
    await openSandboxBankControl(gateway.bank).clearFaults()
    await gateway.context.banks.resetFailures()
    const again = await cancel(fjell, payrollId)
    expect(again).toMatchObject({ cancellationRequestStatus: 'ACCEPTED', currentPayrollStatus: 'Cancelled' })
    const { rows } = await gateway.context.database.pool.query(
      'select id from payroll_cancellations where payroll_id = $1',
      [payrollId],
    )
    expect(rows).toEqual([{ id: again.id }])
  })
})

describe('a signed payroll', () => {
  it('takes another signature where its bank requires one, and the same response is returned until then', async () => {
    const payrollId = await ordered(vestkyst, 2)
    expect(await stage.sign(vestkyst, [payrollId])).toBe('success')
    const requested = await cancel(vestkyst, payrollId, kari, { preferredScaMethod: 'Qr' })
    expect(requested).toMatchObject({
      cancellationRequestStatus: 'AUTHORIZATION_REQUIRED',
      currentPayrollStatus: 'InProgress',
      sca: { type: 'redirect' },
    })
    const { rows } = await gateway.context.database.pool.query(
      'select preferred from sca_sessions where subject_id = $1',
      [requested.id],
    )
    expect(rows).toEqual([{ preferred: 'qr' }])
    expect(await cancel(vestkyst, payrollId)).toEqual(requested)
    const page = await openBrowser().get(requested.sca?.url ?? '')
    expect(page).toContain('8052.11.00013')
    expect(page).not.toContain('Employee')
    expect(await play(requested.id, 'sign', vestkyst)).toBe('success')
    expect(await read(vestkyst, requested.id)).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPayrollStatus: 'Cancelled',
    })
  })

  it('one by one takes a signature for each transaction, in turn behind one link', async () => {
    const payrollId = await ordered(chain, 2)
    expect(await stage.sign(chain, [payrollId])).toBe('success')
    const { id, cancellationRequestStatus } = await cancel(chain, payrollId)
    expect(cancellationRequestStatus).toBe('AUTHORIZATION_REQUIRED')
    expect(await play(id, 'sign', chain)).toBe('success')
    expect(await read(chain, id)).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPayrollStatus: 'Cancelled',
    })
  })

  it('one by one is signed completely behind the link of the request that repeats one whose bank did not respond for all', async () => {
    const payrollId = await ordered(chain, 3)
    expect(await stage.sign(chain, [payrollId])).toBe('success')
    await openSandboxBankControl(gateway.bank).postControl('/faults', {
      ...{ bank: chain.bic, operation: 'cancelPayment', effect: 'drop-request', times: 1 },
    })
    await expect(cancel(chain, payrollId)).rejects.toMatchObject({ status: 503 })
    const { id, sca } = await cancel(chain, payrollId)
    expect(sca).toMatchObject({ type: 'redirect' })
    expect(await play(id, 'sign', chain)).toBe('success')
    expect(await read(chain, id)).toMatchObject({
      cancellationRequestStatus: 'ACCEPTED',
      currentPayrollStatus: 'Cancelled',
    })
  })

  it('whose cancellation another user repeats returns the same link to that user', async () => {
    const payrollId = await ordered(vestkyst, 1)
    expect(await stage.sign(vestkyst, [payrollId])).toBe('success')
    const [payer, second] = vestkyst.users
    const { consentId } = await stage.payer.consentOf(vestkyst, second)
    await gateway.context.database.pool.query('update consent_accounts set payable = true where consent_id = $1', [
      consentId,
    ])
    await openSandboxBankControl(gateway.bank).postControl('/faults', {
      ...{ bank: vestkyst.bic, operation: 'cancelBulkPayment', effect: 'drop-request', times: 1 },
    })
    await expect(cancel(vestkyst, payrollId, payer)).rejects.toMatchObject({ status: 503 })
    const repeated = await cancel(vestkyst, payrollId, second)
    expect(repeated).toMatchObject({ cancellationRequestStatus: 'AUTHORIZATION_REQUIRED', sca: { type: 'redirect' } })
    expect(await cancel(vestkyst, payrollId, second)).toEqual(repeated)
  })

  it('stays as it is when its user does not sign the cancellation', async () => {
    const payrollId = await ordered(vestkyst, 1)
    await stage.sign(vestkyst, [payrollId])
    const { id } = await cancel(vestkyst, payrollId)
    await play(id, 'reject', vestkyst)
    expect(await read(vestkyst, id)).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      currentPayrollStatus: 'InProgress',
      reason: expect.any(String),
    })
  })
})

describe('a cancellation', () => {
  test('of an unknown payroll returns 404', async () => {
    await expect(cancel(fjell, UNKNOWN_ID)).rejects.toMatchObject({ status: 404 })
    await expect(read(fjell, UNKNOWN_ID)).rejects.toMatchObject({ status: 404 })
  })

  test('under the consent of another bank is rejected', async () => {
    const payrollId = await ordered(fjell, 1)
    await expect(cancel(vestkyst, payrollId)).rejects.toMatchObject({
      status: 422,
      validationErrors: [{ path: '.payrollId', reason: expect.stringContaining(fjell.bic) }],
    })
  })

  test('of a payroll is not found among those of payments, nor are its parts: 404', async () => {
    const payrollId = await ordered(fjell, 1)
    const { id } = await cancel(fjell, payrollId)
    const { rows } = await gateway.context.database.pool.query(
      'select id from cancellations where payroll_cancellation_id = $1',
      [id],
    )
    expect(rows).toHaveLength(1)
    const shown = await stage.payer.consentOf(fjell)
    for (const other of [id, rows[0].id]) {
      const requested = gateway.client.getPaymentCancellation({ ...shown, params: { id: other } })
      await expect(requested).rejects.toMatchObject({ status: 404 })
    }
  })
})
