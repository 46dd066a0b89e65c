/** Tests signatures that are given after the session has ended here: those of baskets and cancellations are found, too. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextBankDay } from '../../countries/bank-days.ts'
import { nordicBank } from '../../testing/banks/nordic-banks.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type ApprovalDriver, openApprovalDriver } from '../../testing/payments/approval-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'

const AURA = nordicBank('AURAFIHH')
const FJORD = nordicBank('FJORNO22')

let gateway: TestGateway
let approver: ApprovalDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  approver = openApprovalDriver(gateway)
  await approver.payer.nextMorning()
})
beforeEach(() => approver.control.clearFaults())
afterAll(() => gateway.close())

const advance = (duration: string) => passTime(gateway, duration)

/** The bank lets its users finish an hour after the reported expiry. Returns what they can sign. */
async function takeTime(): Promise<string> {
  const { rows } = await gateway.context.database.pool.query<{ id: string }>(
    "update sandbox_bank.authorisations set due_at = due_at + interval '1 hour' where outcome is null returning id",
  )
  return rows.at(-1)?.id ?? ''
}

/** Nothing is polled at the bank except for the late signature. */
async function hold(paymentIds: readonly string[]): Promise<void> {
  await gateway.context.database.pool.query('update payments set poll_at = null where id = any($1)', [paymentIds])
}

describe('a basket that is signed after its approval has ended', () => {
  it('has all its payments signed, although their status does not show it', async () => {
    const ids = await approver.order(AURA, 3)
    const { id } = await approver.approve(AURA, ids)
    const late = await takeTime()
    // The bank is called to delete it when the approval ends, and fails.
    await approver.control.postControl('/faults', {
      bank: AURA.bic,
      operation: 'deleteSigningBasket',
      effect: 'drop-request',
    })
    await advance('PT11M')
    expect(await approver.read(AURA, id)).toMatchObject({ status: 'CANCELLED' })
    await approver.control.postControl(`/authorisations/${late}/sign`)
    await advance('PT6M')
    expect(await approver.statuses(ids)).toEqual(Array(3).fill('InProgress'))
    expect(await approver.read(AURA, id)).toMatchObject({ status: 'CANCELLED' })
  })

  it('is not polled once the bank has deleted it', async () => {
    const ids = await approver.order(AURA, 3)
    const { id } = await approver.approve(AURA, ids)
    await advance('PT11M')
    expect(await approver.tiedUp(ids)).toBe(0)
    await advance('PT6M')
    const { rows } = await gateway.context.database.pool.query(
      'select due_at as due from sca_sessions where subject_id = $1',
      [id],
    )
    expect(rows).toEqual([{ due: null }])
    expect(await approver.statuses(ids)).toEqual(Array(3).fill('Unsigned'))
  })
})

it('a cancellation that is signed after it has ended here triggers an early poll of the payment', async () => {
  const day = gateway.context.clock.today('Europe/Oslo').add({ days: 5 })
  const [paymentId = ''] = await approver.order(FJORD, 1, { dueDate: nextBankDay(['NO'], day).toString() })
  await approver.payer.sign(FJORD, paymentId)
  const consent = await approver.payer.consentOf(FJORD)
  const { id } = await gateway.client.cancelPayment({ ...consent, body: { paymentId, callbackUrl: CALLBACK } })
  const late = await takeTime()
  await advance('PT11M')
  const read = () => gateway.client.getPaymentCancellation({ ...consent, params: { id } })
  expect(await read()).toMatchObject({ cancellationRequestStatus: 'REJECTED' })
  await gateway.context.database.pool.query(
    'update sandbox_bank.payments set notification_uri = null where id = any($1)',
    [await approver.bankIds([paymentId])],
  )
  await hold([paymentId])
  await approver.control.postControl(`/authorisations/${late}/sign`)
  await advance('PT6M')
  expect(await approver.statuses([paymentId])).toEqual(['Cancelled'])
  expect(await read()).toMatchObject({
    cancellationRequestStatus: 'REJECTED',
    currentPaymentStatus: { status: 'Cancelled' },
  })
})
