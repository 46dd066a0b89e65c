/** Guarantees about orders that nobody signed: what the bank leaves to people is asked once, and people are told once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentStatusValue } from '../../../contract/shapes.ts'
import { closeResolvedTask, getOpenTasks } from '../../operators/resolve-task.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { findPaymentsOf, recordUserSignature } from '../find-payments.ts'
import { isAcknowledged } from '../payment.ts'
import { cancelUnsignedOrder } from './cancel-unsigned-order.ts'
import { requireBankAccess as requestedAt } from './poll-payment.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

type Ordered = { readonly paymentId: string; readonly bankPaymentId: string }
type Stored = { status: PaymentStatusValue; pollAt: Temporal.Instant | null; statusAt: Temporal.Instant }

const DUE_DAY_OVER = 'P1DT4H'

let gateway: TestGateway
let bank: SandboxBankControl
let consent: Awaited<ReturnType<typeof acceptedConsent>>
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await bank.clearFaults()
  await sql('update payments set poll_at = null')
  consent = await acceptedConsent(gateway)
})

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

/** An order that the bank does not drop by itself. */
async function unsigned(): Promise<Ordered> {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  const bankPaymentId = (await bank.payments()).at(-1)?.paymentId ?? ''
  await bank.postControl(`/payments/${bankPaymentId}/status`, { transactionStatus: 'RCVD' })
  return { paymentId, bankPaymentId }
}

async function stored({ paymentId }: Ordered): Promise<Stored | undefined> {
  const columns = 'status, poll_at as "pollAt", status_at as "statusAt"'
  return (await sql<Stored>(`select ${columns} from payments where id = $1`, [paymentId]))[0]
}

const pass = (advance: string) => gateway.client.moveSandboxClock({ body: { advance } })
const tasksOf = async ({ paymentId }: Ordered) =>
  (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId)

async function noteAll(payment: Ordered): Promise<void> {
  for (const task of await tasksOf(payment)) {
    await closeResolvedTask(gateway.context, task, 'Olga', { type: 'noted', note: 'The customer was told' })
  }
}

async function withdrawals(): Promise<number> {
  const { values } = await gateway.context.metrics.bankCalls.get()
  return values
    .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.operation === 'cancelPayment')
    .reduce((sum, { value }) => sum + value, 0)
}

describe('a withdrawal', () => {
  test.each([
    [
      'that the bank wants signed',
      // Signed behind our back and shown as unsigned: only a user can withdraw it.
      ({ bankPaymentId }: Ordered) =>
        bank
          .signInNetbank(bankPaymentId)
          .then(() => bank.postControl(`/payments/${bankPaymentId}/status`, { transactionStatus: 'RCVD' })),
      /sign the cancellation/,
    ],
    [
      'that the bank refuses',
      () => bank.injectFault({ operation: 'cancelPayment', effect: 'status', status: 405 }),
      /SERVICE_INVALID/,
    ],
  ])(
    '%s is left to people, once, and not asked for again, not even when they have noted it',
    async (_what, prepare, text) => {
      const payment = await unsigned()
      await prepare(payment)
      const before = await withdrawals()
      await pass(DUE_DAY_OVER)
      expect(await tasksOf(payment)).toMatchObject([
        {
          kind: 'CannotBeWithdrawn',
          detail: { text: expect.stringMatching(text), bankPaymentId: payment.bankPaymentId },
        },
      ])
      await pass('PT9H')
      await noteAll(payment)
      await pass('PT9H')
      expect(await withdrawals()).toBe(before + 1)
      expect(await tasksOf(payment)).toEqual([])
      expect(await stored(payment)).toMatchObject({ status: 'Unsigned', pollAt: expect.anything() })
    },
  )
})

describe('an order that was signed', () => {
  test('is never withdrawn by us, though its bank has only told words of its own, which leave it Unsigned', async () => {
    const payment = await unsigned()
    const [row] = await sql<{ partnerId: string }>('select partner_id as "partnerId" from payments where id = $1', [
      payment.paymentId,
    ])
    const [found] = await findPaymentsOf(gateway.context, row?.partnerId ?? '', [payment.paymentId])
    if (found === undefined || !isAcknowledged(found)) {
      throw new Error('The payment is not there')
    }
    await recordUserSignature(gateway.context, found)
    const signed = { ...found, signed: true, signedAt: gateway.context.clock.now() }
    const word = { status: null, statusReason: null, statusReasonText: 'HOLD', bankStatus: 'HOLD' }
    const stored = await recordPaymentStatus(gateway.context, signed, word)
    expect(stored).toMatchObject({ status: 'Unsigned', signed: true })
    // Nor is it read meanwhile, which would tell its true status.
    await sql('update payments set poll_at = null')
    await pass(DUE_DAY_OVER)
    const before = await withdrawals()
    await cancelUnsignedOrder(gateway.context, await requestedAt(gateway.context, stored), stored)
    expect(await withdrawals()).toBe(before)
    expect((await bank.payments()).find(({ paymentId }) => paymentId === payment.bankPaymentId)).toMatchObject({
      transactionStatus: 'RCVD',
    })
  })
})

describe('an order that the bank has let lapse', () => {
  test('stays Unsigned, is told to people once and read once a day, and two weeks after its due day no more', async () => {
    const payment = await unsigned()
    await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 404 })
    await pass('PT2M')
    // One no may be a slip: it is asked again before anybody is told.
    expect(await tasksOf(payment)).toEqual([])
    await pass('PT8M')
    expect(await tasksOf(payment)).toMatchObject([
      { kind: 'LapsedAtBank', detail: { bankPaymentId: payment.bankPaymentId } },
    ])
    const { status, pollAt } = (await stored(payment)) ?? {}
    expect(status).toBe('Unsigned')
    expect(pollAt?.since(gateway.context.clock.now()).total('hours')).toBeGreaterThan(23)
    await noteAll(payment)
    await pass('P5D')
    expect(await tasksOf(payment)).toEqual([])
    expect((await stored(payment))?.pollAt).not.toBeNull()
    await pass('P12D')
    expect(await stored(payment)).toMatchObject({ status: 'Unsigned', pollAt: null })
  })
})
