/** Tests acknowledgements of the bank that arrive late, after recovery or operators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { StatusObservation } from '../../banks/connector/bank-order.ts'
import { requireBank } from '../../banks/directory/bank-directory.ts'
import type { Context } from '../../context.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { DatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import { openOutcomeRecorder } from '../../platform/database/outcome-recorder.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { sendRawRequest, validHeaders } from '../../testing/contract/send-raw-request.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { findPaymentsOf } from '../find-orders.ts'
import type { Payment } from '../payment.ts'
import { recordPaymentStatus } from '../status/record-payment-status.ts'
import { acknowledgementOf, recordAcknowledgement } from './record-acknowledgement.ts'
import { settleAsNeverAcknowledged } from './settle-unknown-outcome.ts'
import { newSubmission } from './submission.ts'

let gateway: TestGateway
let headers: Record<string, string>
let partnerId: string
beforeAll(async () => {
  gateway = await startTestGateway()
  headers = await validHeaders(gateway, (await acceptedConsent(gateway)).consentId)
  const { rows } = await gateway.context.database.pool.query('select id from partners')
  partnerId = rows[0].id
})
afterAll(() => gateway.close())

/** An order that the bank has accepted and whose answer has not yet reached a delayed process. */
async function answerOnItsWay() {
  await openSandboxBankControl(gateway.bank).injectFault({
    operation: 'initiatePayment',
    effect: 'drop-connection',
    times: 1,
  })
  const { body } = await sendRawRequest(gateway, ['POST', '/api/v2/payments'], {
    headers,
    body: domesticPayment(gateway),
  })
  await openSandboxBankControl(gateway.bank).clearFaults()
  const bankPaymentId = (await openSandboxBankControl(gateway.bank).payments()).at(-1)?.paymentId ?? ''
  const paymentId = String(Object(body).paymentId)
  return {
    paymentId,
    bankPaymentId,
    arrive: async (context?: Context, id = bankPaymentId) => await arrive(await find(paymentId), id, { context }),
  }
}

const FIRST_WORD: StatusObservation = {
  status: 'Unsigned',
  statusReason: null,
  statusReasonText: null,
  bankStatus: 'RCVD',
}
type How = { readonly context?: Context | undefined; readonly observation?: StatusObservation }

async function arrive(
  payment: Payment,
  bankPaymentId: string,
  { context = gateway.context, observation = FIRST_WORD }: How,
) {
  const submission = newSubmission(context, payment)
  const bank = await requireBank(context.banks, payment.bic)
  const acknowledgement = acknowledgementOf(context, submission, bank, { bankPaymentId, observation })
  await recordAcknowledgement(context, submission, acknowledgement, { idempotent: null, answer: null })
  return acknowledgement
}

async function find(paymentId: string): Promise<Payment> {
  const [payment] = await findPaymentsOf(gateway.context, partnerId, [paymentId])
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}

const initiate = (body: DomesticPayment, key: string) =>
  sendRawRequest(gateway, ['POST', '/api/v2/payments'], { headers: { ...headers, 'idempotency-key': key }, body })

async function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

/** The id of a payment that is being submitted to its bank. */
async function underWay({ metadata }: DomesticPayment): Promise<string> {
  return await eventually(async () => {
    const [row] = await query<{ id: string }>('select id from payments where end_to_end_id = $1', metadata.endToEndId)
    expect(row).toBeDefined()
    return row?.id ?? ''
  })
}

const tasksOf = async (paymentId: string) =>
  (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId).map(({ kind }) => kind)

test('an order is signed from its acknowledgement on where its bank executes it and awaits no signature', async () => {
  const bank = await requireBank(gateway.context.banks, 'FJORNO22')
  const ordered = domesticPayment(gateway)
  const facts = { endToEndId: 'INV-1', dueDate: Temporal.PlainDate.from(ordered.dueDate), payrollId: null }
  const submission = newSubmission(gateway.context, { type: 'Domestic', ordered, partnerId, id: partnerId, ...facts })
  const isSigned = (status: StatusObservation['status'], statusReason: StatusObservation['statusReason'] = null) => {
    const observation = { ...FIRST_WORD, status, statusReason }
    return acknowledgementOf(gateway.context, submission, bank, { bankPaymentId: 'order', observation }).signed
  }
  expect({
    unknown: isSigned(null),
    unsigned: isSigned('Unsigned'),
    forSms: isSigned('CustomerActionRequired', 'SmsConfirmationRequired'),
    partly: isSigned('CustomerActionRequired', 'PartlySigned'),
    withoutFunds: isSigned('CustomerActionRequired', 'InsufficientFunds'),
    inProgress: isSigned('InProgress'),
    completed: isSigned('Completed'),
    // Who sent it may have no right to pay from the account.
    rejected: isSigned('Rejected'),
    cancelled: isSigned('Cancelled'),
  }).toEqual({
    ...{ unknown: false, unsigned: false, forSms: false, partly: false, rejected: false, cancelled: false },
    ...{ withoutFunds: true, inProgress: true, completed: true },
  })
})

test('an order that is accepted late as in progress was unsigned before, and there is an event', async () => {
  const { paymentId, bankPaymentId } = await answerOnItsWay()
  const observation = { ...FIRST_WORD, status: 'InProgress', bankStatus: 'PDNG' } as const
  await arrive(await find(paymentId), bankPaymentId, { observation })
  expect(await find(paymentId)).toMatchObject({ status: 'InProgress', signed: true })
  expect(await tasksOf(paymentId)).toEqual([])
  await arrive(await find(paymentId), bankPaymentId, { observation })
  expect(await query('select body from events where subject_id = $1', paymentId)).toMatchObject([
    { body: expect.stringContaining('"previousStatus":"Unsigned","status":"InProgress"') },
  ])
})

test('an order of which the bank reports no known status is not taken for one that needs no signature', async () => {
  const { paymentId, bankPaymentId } = await answerOnItsWay()
  await arrive(await find(paymentId), bankPaymentId, {
    observation: { ...FIRST_WORD, status: null, bankStatus: 'NEW1' },
  })
  expect(await find(paymentId)).toMatchObject({ status: 'InProgress', signed: false })
  const approval = await sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], {
    headers,
    body: { payments: [paymentId], callbackUrl: CALLBACK },
  })
  const error = { path: '.payments[0]', message: 'payments[0] cannot be signed: it is InProgress' }
  expect(approval).toMatchObject({ status: 422, body: [error] })
})

describe('a late acknowledgement', () => {
  test('settles an unknown outcome, and closes its task', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    expect(await tasksOf(paymentId)).toEqual(['UnknownOutcome'])
    expect(await arrive()).toMatchObject({ id: paymentId, status: 'Unsigned' })
    expect(await find(paymentId)).toMatchObject({ outcome: 'known', status: 'Unsigned' })
    expect(await tasksOf(paymentId)).toEqual([])
  })

  test('takes precedence over two operators who voided the payment, and is reported to them', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    await settleAsNeverAcknowledged(gateway.context, await find(paymentId))
    expect(await find(paymentId)).toMatchObject({ outcome: 'void', status: 'Rejected' })
    await arrive()
    expect(await find(paymentId)).toMatchObject({ outcome: 'known', status: 'Unsigned' })
    expect(await tasksOf(paymentId)).toContain('UnexpectedStatus')
    const reported = await query<{ type: string }>(
      'select type from events where subject_id = $1 order by position',
      paymentId,
    )
    expect(reported).toEqual([{ type: 'PAYMENT_STATUS_REJECTED' }, { type: 'PAYMENT_STATUS_UNSIGNED' }])
  })

  test('after a decision of operators changes status, task and event together, and each event is later than the previous one', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    await settleAsNeverAcknowledged(gateway.context, await find(paymentId))
    // So late that the next event would not be later by the clock alone.
    const ahead = gateway.context.clock.now().add({ hours: 1 }).toString()
    await query('update payments set announced_at = $2 where id = $1', paymentId, ahead)
    const before = await find(paymentId)
    await query('alter table events rename to events_away')
    await expect(arrive()).rejects.toMatchObject({ extras: { paymentId } })
    expect(await find(paymentId)).toEqual(before)
    await query('alter table events_away rename to events')
    await arrive()
    const times = await query<{ at: Temporal.Instant }>(
      'select announced_at as at from payments where id = $1',
      paymentId,
    )
    expect(times[0]?.at.since(ahead).total('milliseconds')).toBeGreaterThan(0)
    const [event] = await query<{ at: Temporal.Instant }>(
      'select occurred_at as at from events where subject_id = $1 order by position desc limit 1',
      paymentId,
    )
    expect(event?.at).toEqual(times[0]?.at)
  })

  test('with an unknown status is in progress with that status, and counts as unsigned', async () => {
    const { paymentId, bankPaymentId } = await answerOnItsWay()
    const observation = { ...FIRST_WORD, status: null, statusReasonText: 'HOLD', bankStatus: 'HOLD' }
    await arrive(await find(paymentId), bankPaymentId, { observation })
    const payment = await find(paymentId)
    expect(payment).toMatchObject({ status: 'InProgress', statusReasonText: 'HOLD', signed: false, signedAt: null })
    const read = await recordPaymentStatus(gateway.context, payment, FIRST_WORD)
    expect(read).toMatchObject({ status: 'Unsigned', signed: false })
    expect(await tasksOf(paymentId)).toEqual([])
  })
})

describe('a database failover while an acknowledgement is recorded', () => {
  test('takes time, but loses nothing: the statement is repeated', async () => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const answering = initiate(body, key)
    const paymentId = await underWay(body)
    const holder = await gateway.context.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from payments where id = $1 for update', [paymentId])
    await openSandboxBankControl(gateway.bank).clearFaults()
    await eventually(async () => {
      const cut = await query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%update payments p set outcome%'`,
      )
      expect(cut).toHaveLength(1)
    })
    await holder.query('rollback')
    holder.release()
    expect(await answering).toMatchObject({ status: 200, body: { paymentId } })
    expect(await find(paymentId)).toMatchObject({ outcome: 'known', status: 'Unsigned' })
    expect((await initiate(body, key)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('after the statement was executed leaves one history entry and no task', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    const { pool } = gateway.context.database
    let executed = 0
    const cut: typeof pool = Object.assign(Object.create(pool), {
      query: async (statement: Parameters<typeof pool.query>[0]) => {
        const stored = await pool.query(statement)
        executed += 1
        if (executed === 1) {
          throw new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
        }
        return stored
      },
    })
    await arrive({ ...gateway.context, database: { ...gateway.context.database, pool: cut } })
    expect(executed).toBe(2)
    expect(await query('select from payment_history where payment_id = $1', paymentId)).toHaveLength(1)
    expect(await tasksOf(paymentId)).toEqual([])
  })
})

describe('an acknowledgement that is recorded after its request was answered', () => {
  test('makes an event of a status that the partner has not seen', async () => {
    const { paymentId, bankPaymentId } = await answerOnItsWay()
    await query("update payments set outcome = 'in-flight' where id = $1", paymentId)
    const { database, log } = gateway.context
    let isAway = true
    const pool: typeof database.pool = Object.assign(Object.create(database.pool), {
      query: async (statement: Parameters<typeof database.pool.query>[0]) => {
        if (isAway) {
          throw new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
        }
        return await database.pool.query(statement)
      },
    })
    const outcomes = openOutcomeRecorder({ log, waitMilliseconds: 1 })
    const context = { ...gateway.context, database: { ...database, pool }, outcomes }
    const observation = { ...FIRST_WORD, status: 'InProgress', bankStatus: 'ACSP' } as const
    const payment = await find(paymentId)
    await expect(arrive(payment, bankPaymentId, { context, observation })).rejects.toMatchObject({
      extras: { paymentId },
    })
    isAway = false
    await outcomes.stop()
    expect(await find(paymentId)).toMatchObject({ outcome: 'known', status: 'InProgress', bankPaymentId })
    expect(await query('select type from events where subject_id = $1', paymentId)).toEqual([
      { type: 'PAYMENT_STATUS_IN_PROGRESS' },
    ])
    expect(await query('select from payment_history where payment_id = $1', paymentId)).toHaveLength(1)
  })
})

describe('an acknowledgement that can never be recorded', () => {
  test('is a 503 that names the payment, and its task contains the id of the bank', async () => {
    const { paymentId, arrive } = await answerOnItsWay()
    const other = await answerOnItsWay()
    await other.arrive()
    const { bankPaymentId } = await find(other.paymentId)
    await expect(arrive(undefined, bankPaymentId ?? '')).rejects.toMatchObject({ extras: { paymentId } })
    const tasks = (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === paymentId)
    expect(tasks).toMatchObject([{ kind: 'UnknownOutcome', detail: { bankPaymentId } }])
    expect(await find(paymentId)).toMatchObject({ outcome: 'unknown' })
  })
})

describe('recovery', () => {
  test('leaves an order alone as long as waiting for the limiter, connecting and the bank may take together', async () => {
    const [body, began] = [domesticPayment(gateway), gateway.context.clock.real()]
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const answering = initiate(body, crypto.randomUUID())
    const paymentId = await underWay(body)
    const [row] = await query<{ at: Temporal.Instant }>(
      'select recover_at as at from payments where id = $1',
      paymentId,
    )
    expect(row?.at.since(began).total('seconds')).toBeGreaterThan(30 + 5 + 5)
    await openSandboxBankControl(gateway.bank).clearFaults()
    expect(await answering).toMatchObject({ status: 200 })
  })
})

describe('a late rejection of the bank', () => {
  test('ends an order that recovery took over: nothing is stored of it, and the idempotency key returns the rejection', async () => {
    const kidOnly = { type: 'bban', bban: '80503000028' } as const
    const sound = domesticPayment(gateway)
    const [body, key] = [{ ...sound, to: { ...sound.to, account: kidOnly } }, crypto.randomUUID()]
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const answering = initiate(body, key)
    const paymentId = await underWay(body)
    await query("update payments set recover_at = '2020-01-01' where id = $1", paymentId)
    await gateway.sweep()
    expect(await find(paymentId)).toMatchObject({ outcome: 'unknown' })
    expect(await tasksOf(paymentId)).toEqual(['UnknownOutcome'])

    await openSandboxBankControl(gateway.bank).clearFaults()
    const rejected = await answering
    expect(rejected.status).toBeLessThan(500)
    expect(rejected.status).toBeGreaterThanOrEqual(400)
    expect(await query('select from payments where id = $1', paymentId)).toEqual([])
    expect(await tasksOf(paymentId)).toEqual([])
    const again = await initiate(body, key)
    expect(again).toMatchObject({ status: rejected.status, body: rejected.body })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })
})
