/** Tests the expected execution date of a payment: by the current time until it is signed, then by that. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { findPaymentsOf } from '../find-orders.ts'
import type { Payment } from '../payment.ts'
import { recordUserSignature } from '../status/poll-payment.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { findExpectedExecutionDate } from './execution-day.ts'

const SATURDAY = 6
const AT_ANOTHER_BANK = {
  account: { type: 'bban' as const, bban: '86011117947' },
  contactInformation: { name: 'Granli Trelast AS' },
}
let gateway: TestGateway
let consented: Awaited<ReturnType<typeof acceptedConsent>>
let saturday: Temporal.PlainDate
beforeAll(async () => {
  gateway = await startTestGateway()
  consented = await acceptedConsent(gateway)
  const soon = gateway.context.clock.today('Europe/Oslo').add({ days: 30 })
  saturday = soon.add({ days: SATURDAY - (soon.dayOfWeek % 7) })
})
afterAll(() => gateway.close())

const show = (paymentId: string) => gateway.client.getPayment({ params: { paymentId } })
const ordered = async (dueDate: Temporal.PlainDate) =>
  await gateway.client.initiateDomesticPayment({
    ...consented,
    body: domesticPayment(gateway, { dueDate: dueDate.toString(), to: AT_ANOTHER_BANK }),
  })

describe('the expected execution date', () => {
  test('is the next bank day for a due date on a Saturday, as in the warning, and is omitted once it has passed', async () => {
    const { paymentId, warnings } = await ordered(saturday)
    const monday = nextBankDay(['NO'], saturday).toString()
    expect(warnings).toMatchObject([{ code: 'DueDateMoved', expectedExecutionDate: monday }])
    expect(await show(paymentId)).toMatchObject({ dueDate: saturday.toString(), expectedExecutionDate: monday })
    const held = (await openSandboxBankControl(gateway.bank).payments()).at(-1)
    await openSandboxBankControl(gateway.bank).postControl(`/payments/${held?.paymentId}/cancel`, {})
    await gateway.sweep()
    const over = await show(paymentId)
    expect(over.paymentStatus.status).toBe('Cancelled')
    expect(over).not.toHaveProperty('expectedExecutionDate')
  })

  test('follows the clock while the payment is unsigned, and is fixed when it is signed', async () => {
    const monday = nextBankDay(['NO'], saturday)
    const tuesday = nextBankDay(['NO'], monday.add({ days: 1 })).toString()
    const { paymentId } = await ordered(monday)
    const payment = await find(paymentId)
    const [early, late] = [at(monday, '13:59'), at(monday, '14:01')]
    expect(await expected(payment, early)).toEqual({ expectedExecutionDate: monday.toString() })
    expect(await expected(payment, late)).toEqual({ expectedExecutionDate: tuesday })
    const signed = { ...payment, signed: true, signedAt: early, status: 'InProgress' as const }
    expect(await expected(signed, late)).toEqual({ expectedExecutionDate: monday.toString() })
    expect(await expected({ ...signed, signedAt: late }, late)).toEqual({ expectedExecutionDate: tuesday })
  })

  test('depends on the time of the signature, not on when the bank first reported it', async () => {
    const { paymentId } = await ordered(saturday)
    const before = gateway.context.clock.now()
    await recordUserSignature(gateway.context, await find(paymentId))
    const signed = await find(paymentId)
    expect(signed.signedAt?.since(before).total('seconds')).toBeLessThan(60)
    await passTime(gateway, 'PT1H')
    const word = { statusReason: null, statusReasonText: null, bankStatus: 'ACSP' }
    const seen = await recordPaymentStatus(gateway.context, await find(paymentId), { status: 'InProgress', ...word })
    expect(seen.signedAt).toEqual(signed.signedAt)
    const waiting = { ...word, status: 'CustomerActionRequired', statusReason: 'PartlySigned' } as const
    expect((await recordPaymentStatus(gateway.context, await find(paymentId), waiting)).signedAt).toBeNull()
    expect((await find(paymentId)).signedAt).toBeNull()
  })

  test('is omitted for a payment that the bank may not hold', async () => {
    const { paymentId } = await ordered(saturday)
    const unknown = { ...(await find(paymentId)), outcome: 'unknown' as const }
    expect(await expected(unknown, at(saturday, '09:00'))).toEqual({})
  })
})

const at = (day: Temporal.PlainDate, time: string) =>
  day.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: Temporal.PlainTime.from(time) }).toInstant()

async function expected(payment: Payment, now: Temporal.Instant): ReturnType<typeof findExpectedExecutionDate> {
  const { context } = gateway
  return await findExpectedExecutionDate({ ...context, clock: { ...context.clock, now: () => now } }, payment)
}

async function find(paymentId: string): Promise<Payment> {
  const { rows } = await gateway.context.database.pool.query('select partner_id from payments where id = $1', [
    paymentId,
  ])
  const [payment] = await findPaymentsOf(gateway.context, String(rows[0].partner_id), [paymentId])
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}
