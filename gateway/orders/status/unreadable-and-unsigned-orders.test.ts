/** Tests orders that cannot be polled, and cancelling unsigned ones: each try has its time, and operators are notified once. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { closeResolvedTask, getOpenTasks } from '../../operators/resolve-task.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { findPaymentsOf } from '../find-orders.ts'
import type { Payment } from '../payment.ts'
import { withBankAccess } from './bank-access.ts'
import { cancelUnsignedOrder } from './cancel-unsigned-order.ts'
import { pollPayment, recordUserSignature } from './poll-payment.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

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
  await sql('update banks set paused_until = null, failures = 0, failing_since = null')
  await sql('update payments set poll_at = null')
})

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

async function found(paymentId: string): Promise<Payment> {
  const [row] = await sql<{ partner: string }>('select partner_id as partner from payments where id = $1', [paymentId])
  const [payment] = await findPaymentsOf(gateway.context, row?.partner ?? '', [paymentId])
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}

describe('after failed polls', () => {
  const now = () => gateway.context.clock.now()
  const hoursAgo = (hours: number) => now().subtract({ hours }).toString()

  /** A payment that was polled three hours ago by a slow schedule, and that is due. */
  async function due(): Promise<string> {
    const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
    await sql('update payments set status_at = $2, poll_at = $3, poll_step = 4 where id = $1', [
      paymentId,
      hoursAgo(3),
      hoursAgo(0),
    ])
    return paymentId
  }

  async function secondsToNextRead(paymentId: string): Promise<number> {
    return (await found(paymentId)).pollAt?.since(now()).total('seconds') ?? Number.NaN
  }

  const cannotBeRead = (times = 1) =>
    bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 503, times })

  test('one failed poll costs seconds, however long ago the last one was', async () => {
    const paymentId = await due()
    await cannotBeRead()
    await gateway.sweep()
    expect(await secondsToNextRead(paymentId)).toBeLessThanOrEqual(10)
    expect(await found(paymentId)).toMatchObject({ pollStep: 4, unreadSince: expect.anything() })
  })

  test('a lasting outage is polled ever more rarely, and ends with the first answer', async () => {
    const paymentId = await due()
    await sql('update payments set unread_since = $2 where id = $1', [paymentId, hoursAgo(1)])
    await cannotBeRead()
    await gateway.sweep()
    const seconds = await secondsToNextRead(paymentId)
    expect(seconds).toBeGreaterThan(300)
    expect(seconds).toBeLessThanOrEqual(361)
    await sql('update payments set poll_at = $2 where id = $1', [paymentId, hoursAgo(0)])
    await gateway.sweep()
    expect(await found(paymentId)).toMatchObject({ unreadSince: null, pollStep: 5 })
  })

  test.each<[what: string, happen: (payment: Payment) => Promise<unknown>]>([
    ['a signature', (payment) => recordUserSignature(gateway.context, payment)],
    [
      'a notification',
      ({ id }) =>
        sql('update payments set bank_notified_at = $2 where id = $1', [id, gateway.context.clock.real().toString()]),
    ],
  ])('%s during a failed poll is not delayed by the backoff', async (_what, happen) => {
    const asRead = await found(await due())
    await happen(asRead)
    await cannotBeRead()
    await pollPayment(gateway.context, asRead)
    expect(await secondsToNextRead(asRead.id)).toBeLessThanOrEqual(0)
  })
})

describe('after its due date', () => {
  type Ordered = { readonly paymentId: string; readonly bankPaymentId: string }
  type Stored = { status: PaymentStatusValue; pollAt: Temporal.Instant | null; statusAt: Temporal.Instant }

  const DUE_DAY_OVER = 'PT28H'

  /** An order that the bank does not delete by itself. */
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

  const pass = (advance: string) => passTime(gateway, advance)
  const tasksOf = async ({ paymentId }: Pick<Ordered, 'paymentId'>) =>
    (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId)

  async function noteAll(payment: Ordered): Promise<void> {
    for (const task of await tasksOf(payment)) {
      await closeResolvedTask(
        gateway.context,
        task,
        { subject: 'user Olga', name: 'Olga', actor: 'operator Olga' },
        { type: 'noted', note: 'The customer was informed' },
      )
    }
  }

  async function withdrawals(): Promise<number> {
    const { values } = await gateway.context.metrics.bankCalls.get()
    return values
      .filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.operation === 'cancelPayment')
      .reduce((sum, { value }) => sum + value, 0)
  }

  describe('a cancellation', () => {
    test.each([
      [
        'whose cancellation the bank requires to be signed',
        // Signed without our knowledge and shown as unsigned: only a user can cancel it.
        ({ bankPaymentId }: Ordered) =>
          bank
            .signInNetbank(bankPaymentId)
            .then(() => bank.postControl(`/payments/${bankPaymentId}/status`, { transactionStatus: 'RCVD' })),
        /sign the cancellation/,
      ],
      [
        'whose cancellation the bank rejects',
        () => bank.injectFault({ operation: 'cancelPayment', effect: 'status', status: 405 }),
        /SERVICE_INVALID/,
      ],
    ])(
      '%s becomes one operator task, and its cancellation is not requested again, even after operators resolved the task',
      async (_what, prepare, text) => {
        const payment = await unsigned()
        await prepare(payment)
        const before = await withdrawals()
        await passTime(gateway, DUE_DAY_OVER)
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

  describe('a signed order', () => {
    test('is never cancelled by Havn, although the bank only reported unknown statuses, which leave it Unsigned', async () => {
      const payment = await unsigned()
      const ordered = await found(payment.paymentId)
      await recordUserSignature(gateway.context, ordered)
      const signed = { ...ordered, signed: true, signedAt: gateway.context.clock.now() }
      const word = { status: null, statusReason: null, statusReasonText: 'HOLD', bankStatus: 'HOLD' }
      const stored = await recordPaymentStatus(gateway.context, signed, word)
      expect(stored).toMatchObject({ status: 'Unsigned', signed: true })
      // It is not read meanwhile: the read would reveal its actual status.
      await sql('update payments set poll_at = null')
      await pass(DUE_DAY_OVER)
      const before = await withdrawals()
      await withBankAccess(gateway.context, stored, (at) => cancelUnsignedOrder(gateway.context, at, stored))
      expect(await withdrawals()).toBe(before)
      expect((await bank.payments()).find(({ paymentId }) => paymentId === payment.bankPaymentId)).toMatchObject({
        transactionStatus: 'RCVD',
      })
    })
  })

  describe('an order that its bank no longer holds after it has accepted the cancellation', () => {
    const SIGNED = "status = 'InProgress', signed = true, signed_at = status_at"

    async function polledTwice(state: string): Promise<Payment> {
      const { paymentId } = await unsigned()
      await sql(`update payments set cancellation_accepted_at = status_at, ${state} where id = $1`, [paymentId])
      await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 404 })
      await pollPayment(gateway.context, await found(paymentId))
      await sql("update payments set expired_at = expired_at - interval '10 minutes' where id = $1", [paymentId])
      await pollPayment(gateway.context, await found(paymentId))
      return await found(paymentId)
    }

    test.each([
      ['a signature', `${SIGNED}, due_date = due_date + 5`],
      ['one of two signatures', "status = 'CustomerActionRequired', status_reason = 'PartlySigned'"],
    ])('is Cancelled after %s, as an unsigned one is', async (_what, state) => {
      const payment = await polledTwice(state)
      expect(payment).toMatchObject({ status: 'Cancelled', bankStatus: 'gone' })
      expect(await tasksOf({ paymentId: payment.id })).toEqual([])
    })

    test('is left to operators once it may have been executed', async () => {
      const payment = await polledTwice(SIGNED)
      expect(payment).toMatchObject({ status: 'InProgress', expiredAt: null })
      expect(await tasksOf({ paymentId: payment.id })).toMatchObject([{ kind: 'BankCannotBeRead' }])
    })
  })

  describe('an order that has expired at the bank', () => {
    test('stays Unsigned, raises one operator task, is polled once a day, and no longer than two weeks after its due date', async () => {
      const payment = await unsigned()
      await bank.injectFault({ operation: 'getPaymentStatus', effect: 'status', status: 404 })
      await pass('PT2M')
      // A single "not found" may be an error: it is polled again before operators are notified.
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
})
