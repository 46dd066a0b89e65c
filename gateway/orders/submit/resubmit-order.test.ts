/** Tests orders that expired at their bank: the next approval resubmits them, once, and only if they are gone. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HavnError } from '../../../sdk/index.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { newId } from '../../platform/ids.ts'
import { prepareRestoredDatabase } from '../../prepare-restored-database.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../../testing/browser/bank-user.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { passTime, passUntil } from '../../testing/gateway/pass-time.ts'
import { nextBankMorning } from '../../testing/gateway/start-on-bank-day.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { sendBankNotification } from '../../testing/payments/send-bank-notification.ts'
import { disablePaymentPolling } from '../../testing/payments/settle-payments.ts'
import { createResubmission, rollBackResubmission } from '../store/expired-order-store.ts'

let gateway: TestGateway
let bank: SandboxBankControl
let consent: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  consent = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await bank.clearFaults()
  await disablePaymentPolling(gateway)
  await sql('update expired_orders set poll_at = null')
  await moveToMorning()
})

/** Late in the day the due date of a payment would pass while orders expire. */
async function moveToMorning(): Promise<void> {
  const now = gateway.context.clock.now().toZonedDateTimeISO('Europe/Oslo')
  if (now.hour >= 14) {
    await passUntil(gateway, nextBankMorning(now.toPlainDate()))
  }
}

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

/** The compared columns of a row. */
type Whole = { poll_at: unknown; unread_since: unknown; partner_id: string; bank_payment_id: string }
type Stored = { status: string; outcome: string; bankPaymentId: string; bankRequestId: string; expiredAt: unknown }

async function stored(paymentId: string): Promise<Stored> {
  const [row] = await sql<Stored>(
    `select status, outcome, bank_payment_id as "bankPaymentId", bank_request_id as "bankRequestId",
       expired_at as "expiredAt" from payments where id = $1`,
    [paymentId],
  )
  if (row === undefined) {
    throw new Error('The payment is not there')
  }
  return row
}

/** The bank shows no order any more, and has none to cancel. */
async function gone(): Promise<void> {
  await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 404 })
  await bank.injectFault({ operation: 'cancelPayment', effect: 'status', status: 404 })
}

/** The bank shows no order any more, but still has it. */
async function hidden(): Promise<void> {
  await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 404 })
}
const pass = (duration: string) => passTime(gateway, duration)
/** Number of the bank's orders. */
async function ordersAtBank(): Promise<number> {
  const [row] = await sql<{ count: number }>(
    "select count(*)::int as count from sandbox_bank.payments where bank = 'FJORNO22'",
  )
  return row?.count ?? 0
}
const atTheBank = async (bankPaymentId: string) =>
  (await bank.payments()).find(({ paymentId }) => paymentId === bankPaymentId)
const tasksOf = async (paymentId: string) =>
  (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId).map(({ kind }) => kind)

/** An account in another currency with the number of one, which is listed first. */
async function shareNumber(bban: string): Promise<void> {
  const columns = 'partner_id, consent_id, stable_id, bban, iban, bic, name, owner_name, type, payable'
  await sql(
    `insert into consent_accounts (id, resource_id, currency, ${columns})
     select '00000000-0000-7000-8000-000000000000', 'eur', 'EUR', ${columns} from consent_accounts where bban = $1`,
    [bban],
  )
}

/** Polls it as a worker would. */
async function pollNow(paymentId: string): Promise<void> {
  await sql('update payments set poll_at = $2 where id = $1', [paymentId, gateway.context.clock.now().toString()])
  await gateway.sweep()
}

/** Different amounts, so that the entry of one payment matches no other. */
let sums = 1_000

/** A payment of which the bank has reported long enough that it does not hold the order. */
async function lapsed(how = gone): Promise<string> {
  sums += 1
  const body = { ...domesticPayment(gateway), amount: { amount: `${sums}.50`, currency: 'NOK' } }
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body })
  await how()
  await pollNow(paymentId)
  await pass('PT10M')
  return paymentId
}

/** A payment that was resubmitted while the bank does not show the former order and the new one. */
async function placedAgain(): Promise<{ paymentId: string; former: string }> {
  const paymentId = await lapsed()
  const { bankPaymentId: former } = await stored(paymentId)
  await approve(paymentId)
  await bank.clearFaults()
  return { paymentId, former }
}

/** The next order is to an account that requires a KID; the bank rejects it once the faults are cleared. */
async function holdRejection(paymentId: string): Promise<void> {
  await bank.holdNextCall('initiatePayment')
  const { to, ...rest } = domesticPayment(gateway)
  const kidOnly = { ...rest, to: { ...to, account: { type: 'bban', bban: '80503000028' } } }
  await sql('update payments set ordered = $2 where id = $1', [paymentId, JSON.stringify(kidOnly)])
}

const approvalOf = (paymentId: string) => ({ payments: [paymentId], callbackUrl: CALLBACK })
const approve = (paymentId: string) => gateway.client.approvePayments({ ...consent, body: approvalOf(paymentId) })

async function rejectionOf(call: Promise<unknown>): Promise<HavnError> {
  const thrown = await call.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!(thrown instanceof HavnError)) {
    throw new Error(`Nothing was rejected: ${thrown}`)
  }
  return thrown
}

describe('an order that has expired at the bank', () => {
  test('is resubmitted by the next approval, identical except for its ids, and both are stored', async () => {
    const paymentId = await lapsed()
    const before = await stored(paymentId)
    expect(before).toMatchObject({ status: 'Unsigned', outcome: 'known', expiredAt: expect.anything() })
    const orders = await ordersAtBank()
    const { sca } = await approve(paymentId)
    const after = await stored(paymentId)
    const [former, again] = [await atTheBank(before.bankPaymentId), await atTheBank(after.bankPaymentId)]
    expect(await ordersAtBank()).toBe(orders + 1)
    expect(again?.amount).toBe(former?.amount)
    expect(again?.requestId).toBe(after.bankRequestId)
    expect(after).toMatchObject({ status: 'Unsigned', outcome: 'known', expiredAt: null })
    expect(await sql('select bank_payment_id as id from expired_orders where payment_id = $1', [paymentId])).toEqual([
      { id: before.bankPaymentId },
    ])
    expect(await tasksOf(paymentId)).toEqual([])
    await bank.clearFaults()
    await visitBank(sca?.type === 'redirect' ? sca.url : '')
    expect(await gateway.client.getPaymentStatus({ params: { paymentId } })).toMatchObject({ status: 'InProgress' })
  })

  test('is not resubmitted when the bank still holds it', async () => {
    const paymentId = await lapsed()
    const { bankPaymentId } = await stored(paymentId)
    const orders = await ordersAtBank()
    await bank.clearFaults()
    await approve(paymentId)
    expect(await stored(paymentId)).toMatchObject({ bankPaymentId, expiredAt: null })
    expect(await ordersAtBank()).toBe(orders)
  })

  test('is not resubmitted while the bank cannot confirm that it is gone', async () => {
    const paymentId = await lapsed()
    await bank.clearFaults()
    await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 503 })
    const orders = await ordersAtBank()
    expect(await rejectionOf(approve(paymentId))).toMatchObject({ status: 503 })
    expect(await ordersAtBank()).toBe(orders)
  })

  test('is reported as expired once its due date has passed', async () => {
    const paymentId = await lapsed()
    await pass('P2D')
    const rejection = await rejectionOf(approve(paymentId))
    expect(rejection).toMatchObject({
      status: 422,
      validationErrors: [{ code: 'InvalidRequest', path: '.payments[0]' }],
    })
    expect(rejection.validationErrors[0]?.reason).toMatch(/due date/)
  })

  test('stays as it was if the bank rejects the resubmission, and can be approved later', async () => {
    const paymentId = await lapsed()
    const before = await stored(paymentId)
    await bank.injectFault({ operation: 'initiatePayment', effect: 'status', status: 403, times: 1 })
    expect((await rejectionOf(approve(paymentId))).status).toBe(400)
    expect(await stored(paymentId)).toEqual(before)
    expect(before.expiredAt).not.toBeNull()
    expect(await sql('select from expired_orders where payment_id = $1', [paymentId])).toEqual([])
    await approve(paymentId)
    expect((await stored(paymentId)).bankPaymentId).not.toBe(before.bankPaymentId)
  })

  test('has an unknown outcome if the resubmission got no answer, and is never submitted a third time', async () => {
    const paymentId = await lapsed()
    await bank.injectFault({ operation: 'initiatePayment', effect: 'drop-connection', times: 1 })
    const orders = await ordersAtBank()
    expect(await rejectionOf(approve(paymentId))).toMatchObject({ status: 503, paymentId })
    expect(await stored(paymentId)).toMatchObject({ outcome: 'unknown', bankPaymentId: null })
    expect(await tasksOf(paymentId)).toContain('UnknownOutcome')
    expect((await rejectionOf(approve(paymentId))).validationErrors[0]?.reason).toMatch(/it is unknown/)
    expect(await ordersAtBank()).toBeLessThanOrEqual(orders + 1)
  })

  test('has an unknown outcome if the rejection cannot be recorded', async () => {
    const paymentId = await lapsed()
    await holdRejection(paymentId)
    const approving = rejectionOf(approve(paymentId))
    await eventually(async () => expect(await stored(paymentId)).toMatchObject({ outcome: 'in-flight' }))
    await sql('alter table expired_orders rename to expired_orders_away')
    await bank.clearFaults()
    const rejection = await approving
    await sql('alter table expired_orders_away rename to expired_orders')
    expect(rejection).toMatchObject({ status: 503, paymentId })
    await sql("update payments set recover_at = '2020-01-01' where id = $1", [paymentId])
    await gateway.sweep()
    expect(await stored(paymentId)).toMatchObject({ outcome: 'unknown', bankPaymentId: null })
    expect(await tasksOf(paymentId)).toContain('UnknownOutcome')
  })

  test('is resubmitted once, however many users approve it at the same time', async () => {
    const paymentId = await lapsed()
    const orders = await ordersAtBank()
    const approvals = await Promise.allSettled([approve(paymentId), approve(paymentId), approve(paymentId)])
    expect(approvals.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(1)
    expect(await ordersAtBank()).toBe(orders + 1)
  })

  test('is not resubmitted after a single "not found": an approval says when to try again, and then it is', async () => {
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    await sql('update payments set poll_at = null')
    await pass('PT2M')
    await gone()
    const orders = await ordersAtBank()
    const requested = { headers: await validHeaders(gateway, consent.consentId), body: approvalOf(paymentId) }
    const rejected = await sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], requested)
    expect(rejected).toMatchObject({ status: 400, body: { failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' } })
    expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(240)
    expect(await ordersAtBank()).toBe(orders)
    expect(await tasksOf(paymentId)).toEqual([])
    await sql('update payments set poll_at = null')
    await pass('PT5M1S')
    await approve(paymentId)
    expect(await ordersAtBank()).toBe(orders + 1)
  })

  test('is not considered gone by a later "not found" after it reappeared in between', async () => {
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    await hidden()
    await pass('PT2M')
    expect((await stored(paymentId)).expiredAt).not.toBeNull()
    await bank.clearFaults()
    await pass('PT5M')
    expect((await stored(paymentId)).expiredAt).toBeNull()
    await sql('update payments set poll_at = null')
    await hidden()
    await pass('PT2M')
    expect(await rejectionOf(approve(paymentId))).toMatchObject({ failure: 'AUTHENTICATION_TEMPORARY_UNAVAILABLE' })
  })

  test('is cancelled before it is resubmitted if the bank still holds it', async () => {
    const paymentId = await lapsed(hidden)
    const { bankPaymentId: former } = await stored(paymentId)
    await approve(paymentId)
    expect(await atTheBank(former)).toMatchObject({ transactionStatus: 'CANC' })
    expect((await stored(paymentId)).bankPaymentId).not.toBe(former)
  })

  test('is not taken for its resubmission when a notification names it while the bank processes that', async () => {
    const paymentId = await lapsed(hidden)
    const { bankPaymentId: former } = await stored(paymentId)
    await bank.holdNextCall('initiatePayment')
    const approving = approve(paymentId)
    await eventually(async () => expect(await stored(paymentId)).toMatchObject({ outcome: 'in-flight' }))
    await sendBankNotification(gateway, paymentId, { paymentId: former, transactionStatus: 'CANC' })
    expect(await stored(paymentId)).toMatchObject({ outcome: 'in-flight', bankPaymentId: null })
    await bank.clearFaults()
    await approving
    const { bankPaymentId } = await stored(paymentId)
    expect(bankPaymentId).not.toBe(former)
    expect(await atTheBank(bankPaymentId)).toMatchObject({ transactionStatus: 'RCVD' })
  })

  test.each([
    ['rejects the cancellation', 405, 422],
    ['cannot be asked for the cancellation', 503, 503],
  ])('is not resubmitted if the bank %s', async (_what, status, answered) => {
    const paymentId = await lapsed(hidden)
    const before = await stored(paymentId)
    await bank.injectFault({ operation: 'cancelPayment', effect: 'status', status })
    const orders = await ordersAtBank()
    expect((await rejectionOf(approve(paymentId))).status).toBe(answered)
    expect(await ordersAtBank()).toBe(orders)
    expect(await stored(paymentId)).toEqual(before)
  })

  test('is not resubmitted when an entry on the account may be its booking, whatever was paid before its due date', async () => {
    const body = { ...domesticPayment(gateway), amount: { amount: '4711.17', currency: 'NOK' } }
    const former = await gateway.client.initiateDomesticPayment({ ...consent, body })
    const daysAgo = gateway.context.clock.now().subtract({ hours: 48 }).toString()
    await sql("update payments set status = 'Completed', final_since = $2 where id = $1", [former.paymentId, daysAgo])
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body })
    await shareNumber(body.from.account.bban)
    const { bankPaymentId } = await stored(paymentId)
    // Signed and executed without our knowledge, before the bank loses the order.
    await bank.signInNetbank(bankPaymentId)
    await bank.postControl(`/payments/${bankPaymentId}/settle`)
    await gone()
    await pollNow(paymentId)
    await pass('PT10M')
    const orders = await ordersAtBank()
    const rejection = await rejectionOf(approve(paymentId))
    expect(rejection).toMatchObject({ status: 422 })
    expect(rejection.validationErrors[0]?.reason).toMatch(/may be its booking/)
    expect(await ordersAtBank()).toBe(orders)
  })

  test('is not resubmitted by a database that was restored since: it may have lost a resubmission', async () => {
    const paymentId = await lapsed()
    const { context } = gateway
    await prepareRestoredDatabase(context, { restoredTo: context.clock.real(), actor: 'operator Kim' })
    const orders = await ordersAtBank()
    const rejection = await rejectionOf(approve(paymentId))
    expect(rejection.validationErrors[0]?.reason).toMatch(/was restored/)
    expect(await ordersAtBank()).toBe(orders)
  })

  test('is not recorded as submitted if we fail to build the order', async () => {
    const paymentId = await lapsed()
    const [row] = await sql<{ ordered: string }>('select ordered from payments where id = $1', [paymentId])
    await sql("update payments set ordered = '{}' where id = $1", [paymentId])
    expect((await rejectionOf(approve(paymentId))).status).toBe(500)
    expect(await stored(paymentId)).toMatchObject({ outcome: 'known', expiredAt: expect.anything() })
    await sql('update payments set ordered = $2 where id = $1', [paymentId, row?.ordered])
  })
})

describe('a stored resubmission', () => {
  test('that is rolled back leaves the payment exactly as it was, and closes the task that recovery raised', async () => {
    const paymentId = await lapsed()
    await sql('update payments set bank_notified_at = now(), poll_step = 3 where id = $1', [paymentId])
    const whole = async () => (await sql<Whole>('select * from payments where id = $1', [paymentId]))[0]
    const before = await whole()
    expect(before?.poll_at).not.toBeNull()
    expect(before?.unread_since).not.toBeNull()
    const { database, clock } = gateway.context
    const submission = {
      partnerId: before?.partner_id ?? '',
      id: paymentId,
      formerBankPaymentId: before?.bank_payment_id ?? '',
      expiredOrderId: newId(),
      expiredOrderPollAt: clock.now(),
      bankRequestId: newId(),
      notificationTokenHash: 'another',
      recoverAt: clock.real(),
    }
    expect(await createResubmission(database, submission)).toBe(true)
    expect(await whole()).toMatchObject({ outcome: 'in-flight', poll_at: null })
    // As after a commit whose answer was lost.
    for (const attempt of ['first', 'repeated']) {
      expect(await rollBackResubmission(database, submission), attempt).toBe(true)
      expect(await whole(), attempt).toEqual(before)
    }
  })

  test('that recovery took over and the bank then rejects leaves no task', async () => {
    const paymentId = await lapsed()
    await holdRejection(paymentId)
    const approving = rejectionOf(approve(paymentId))
    await eventually(async () => expect(await stored(paymentId)).toMatchObject({ outcome: 'in-flight' }))
    await sql("update payments set recover_at = '2020-01-01' where id = $1", [paymentId])
    await gateway.sweep()
    expect(await tasksOf(paymentId)).toContain('UnknownOutcome')
    await bank.clearFaults()
    expect((await approving).status).toBe(422)
    expect(await stored(paymentId)).toMatchObject({ outcome: 'known', expiredAt: expect.anything() })
    expect(await tasksOf(paymentId)).toEqual(['LapsedAtBank'])
  })
})

describe('a former order', () => {
  test('that reappears unsigned is cancelled, and the payment stays what it is', async () => {
    const { paymentId, former } = await placedAgain()
    const { bankPaymentId } = await stored(paymentId)
    await bank.postControl(`/payments/${former}/status`, { transactionStatus: 'RCVD' })
    await pass('P1DT1H')
    expect(await atTheBank(former)).toMatchObject({ transactionStatus: 'CANC' })
    expect(await stored(paymentId)).toMatchObject({ bankPaymentId })
    expect(await tasksOf(paymentId)).not.toContain('TwoOrdersAtBank')
  })

  test('that reappears signed raises one operator task, within minutes when it cannot be read at first', async () => {
    const { paymentId, former } = await placedAgain()
    await bank.signInNetbank(former)
    await bank.injectFault({ operation: 'getPaymentStatus', effect: 'drop-request' })
    await pass('P1DT1M')
    expect(await tasksOf(paymentId)).not.toContain('TwoOrdersAtBank')
    await bank.clearFaults()
    await gateway.context.banks.resetFailures()
    await pass('PT20M')
    const [task, ...others] = (await getOpenTasks(gateway.context)).filter(
      ({ subjectId, kind }) => subjectId === paymentId && kind === 'TwoOrdersAtBank',
    )
    expect(task?.detail).toMatchObject({ formerBankPaymentId: former })
    expect(others).toEqual([])
    expect(await formerPolls(paymentId)).toEqual([null])
  })

  test('is polled until ten bank days after the due date, and no longer', async () => {
    const { paymentId } = await placedAgain()
    await pass('P10D')
    expect(await formerPolls(paymentId)).toEqual([expect.anything()])
    await pass('P12D')
    expect(await formerPolls(paymentId)).toEqual([null])
  })
})

async function formerPolls(paymentId: string): Promise<unknown[]> {
  const rows = await sql<{ at: unknown }>('select poll_at as at from expired_orders where payment_id = $1', [paymentId])
  return rows.map(({ at }) => at)
}
