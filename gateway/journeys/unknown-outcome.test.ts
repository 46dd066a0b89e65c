/** Shows that an order with unknown outcome is never repeated or guessed, and is resolved by evidence from the bank. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { DomesticPayment } from '../../contract/payments/domestic-payment.ts'
import type { Fault } from '../../sandbox/bank/faults.ts'
import { findOpenIncident, listTasksOfIncident } from '../operators/incident.ts'
import { getOpenTasks, requireTask } from '../operators/resolve-task.ts'
import { searchTasks } from '../operators/search-tasks.ts'
import { resolvePaymentTask } from '../orders/submit/resolve-payment-task.ts'
import { newToken } from '../platform/ids.ts'
import { openSandboxBankControl } from '../testing/banks/sandbox-bank-control.ts'
import { type Answer, sendRawRequest, validHeaders } from '../testing/contract/send-raw-request.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, CALLBACK, domesticPayment, PSU } from '../testing/payments/sample-payments.ts'
import { sendBankNotification } from '../testing/payments/send-bank-notification.ts'

const PAYMENTS = ['POST', '/api/v2/payments'] as const
const ANY_TASK = { kind: undefined, status: undefined, partnerId: null, after: undefined }
const UNKNOWN = {
  status: 503,
  body: { paymentId: expect.any(String), message: expect.stringMatching(/its response is unknown/) },
}

let gateway: TestGateway
let headers: Record<string, string>
let consentId: string
beforeAll(async () => {
  gateway = await startTestGateway({ settings: { HAVN_BANK_ANSWER_TIMEOUT_SECONDS: '1' } })
  consentId = (await acceptedConsent(gateway)).consentId
  headers = await validHeaders(gateway, consentId)
})
afterEach(() => openSandboxBankControl(gateway.bank).clearFaults())
afterAll(() => gateway.close())

const initiate = (body: DomesticPayment, key?: string): Promise<Answer> =>
  sendRawRequest(gateway, PAYMENTS, { headers: { ...headers, 'idempotency-key': key }, body })
const paymentIdOf = ({ body }: Answer): string => String(Object(body).paymentId)
const query = async (text: string, ...values: unknown[]) =>
  (await gateway.context.database.pool.query(text, values)).rows

/** An order whose answer from the bank is lost, and the id under which the bank holds it. */
async function lostOrder(key?: string, changes: Partial<DomesticPayment> = {}) {
  const body = domesticPayment(gateway, changes)
  const before = new Set((await openSandboxBankControl(gateway.bank).payments()).map(({ paymentId }) => paymentId))
  await openSandboxBankControl(gateway.bank).injectFault({
    operation: 'initiatePayment',
    effect: 'drop-connection',
    times: 1,
  })
  const answer = await initiate(body, key)
  expect(answer).toMatchObject(UNKNOWN)
  const held = (await openSandboxBankControl(gateway.bank).payments()).find(({ paymentId }) => !before.has(paymentId))
  return { body, paymentId: paymentIdOf(answer), bankPaymentId: held?.paymentId ?? '' }
}

const shown = (paymentId: string) => gateway.client.getPayment({ params: { paymentId } })

describe('an initiation with an unknown outcome', () => {
  test.each<[what: string, fault: Omit<Fault, 'bank'>, held: number]>([
    ['whose response never arrives', { operation: 'initiatePayment', effect: 'withhold-answer', times: 1 }, 1],
    [
      'whose connection is lost after sending',
      { operation: 'initiatePayment', effect: 'drop-connection', times: 1 },
      1,
    ],
    [
      'whose connection is lost before the bank works',
      { operation: 'initiatePayment', effect: 'drop-request', times: 1 },
      0,
    ],
    ['that the bank answers with 500', { operation: 'initiatePayment', effect: 'status', status: 500, times: 1 }, 0],
  ])(
    '%s is a 503 that names the payment, shown as unknown, with an operator task, and never repeated',
    async (_what, fault, held) => {
      const before = (await openSandboxBankControl(gateway.bank).payments()).length
      await openSandboxBankControl(gateway.bank).injectFault(fault)
      const body = domesticPayment(gateway)
      const key = crypto.randomUUID()
      const first = await initiate(body, key)
      expect(first).toMatchObject(UNKNOWN)
      const paymentId = paymentIdOf(first)

      const { payments } = await gateway.client.listPayments({ query: { endToEndId: body.metadata.endToEndId } })
      expect(payments).toMatchObject([
        { paymentId, paymentStatus: { status: 'Unsigned' }, finalStatus: false, outcomeUnknown: true },
      ])
      const status = await gateway.client.getPaymentStatus({ params: { paymentId } })
      expect(status).toMatchObject({ status: 'Unsigned', outcomeUnknown: true })
      expect(await initiate(body, key)).toMatchObject({ status: 409, body: { paymentId } })
      expect(await initiate(body, crypto.randomUUID())).toMatchObject({ status: 409, body: { paymentId } })
      expect(await initiate(body)).toMatchObject({ status: 409, body: { paymentId } })
      const approval = sendRawRequest(gateway, ['POST', '/api/v2/payments/approve'], {
        headers,
        body: { payments: [paymentId], callbackUrl: CALLBACK },
      })
      expect(await approval).toMatchObject({ status: 422, body: [{ path: '.payments[0]' }] })
      const tasks = await query('select kind, status from operator_tasks where subject_id = $1', paymentId)
      expect(tasks).toEqual([{ kind: 'UnknownOutcome', status: 'open' }])
      expect((await openSandboxBankControl(gateway.bank).payments()).length - before).toBe(held)
    },
  )

  test('does not block another amount, creditor or endToEndId', async () => {
    const { body } = await lostOrder()
    expect(await initiate({ ...body, amount: { amount: '1251.00', currency: 'NOK' } })).toMatchObject({ status: 200 })
    expect(await initiate({ ...body, metadata: { endToEndId: `${body.metadata.endToEndId}-2` } })).toMatchObject({
      status: 200,
    })
  })
})

describe('four orders in a maintenance window, answered with 503 and SERVICE_UNAVAILABLE', () => {
  const operator = (name: string) => ({ name, subject: `user ${name}`, actor: `operator ${name}` })
  const waiting = async () => (await getOpenTasks(gateway.context)).filter(({ detail }) => 'incident' in detail)

  async function ordersInMaintenance(): Promise<readonly string[]> {
    await openSandboxBankControl(gateway.bank).injectFault({
      operation: 'initiatePayment',
      effect: 'status',
      status: 503,
    })
    const ids: string[] = []
    for (let count = 0; count < 4; count += 1) {
      await gateway.context.banks.resetFailures()
      const answer = await initiate(domesticPayment(gateway))
      expect(answer).toMatchObject(UNKNOWN)
      ids.push(paymentIdOf(answer))
    }
    await openSandboxBankControl(gateway.bank).clearFaults()
    return ids
  }

  test('are one task, which two operators settle together: none was received, except one that the bank has', async () => {
    const before = await waiting()
    const ids = await ordersInMaintenance()
    const [task, ...others] = await waiting()
    expect([before, others]).toEqual([[], []])
    const incidentOf = async (bic: string) =>
      await findOpenIncident(gateway.context, bic, Temporal.Instant.fromEpochMilliseconds(0))
    // Some banks have the BIC of another one and a branch code behind it.
    expect([await incidentOf('FJORNO22'), await incidentOf('FJORNO')]).toEqual([task?.detail['incident'], undefined])
    expect(await searchTasks(gateway.context, ANY_TASK, 100)).toHaveLength((await getOpenTasks(gateway.context)).length)
    const together = task === undefined ? [] : await listTasksOfIncident(gateway.context, task)
    expect(together.map(({ subjectId }) => subjectId)).toEqual(ids)

    // One of them arrived at the bank all the same, and is settled alone.
    const [held] = await openSandboxBankControl(gateway.bank).payments()
    const taken = { type: 'taken', bankPaymentId: held?.paymentId ?? '' } as const
    const lone = await requireTask(gateway.context, together.at(-1)?.id ?? '')
    expect(await resolvePaymentTask(gateway.context, lone, operator('Ingrid'), taken)).toBe('proposed')

    const say = async (name: string) =>
      await resolvePaymentTask(gateway.context, await requireTask(gateway.context, task?.id ?? ''), operator(name), {
        type: 'none-taken',
      })
    expect(await say('Ingrid')).toBe('proposed')
    await expect(say('Ingrid')).rejects.toThrow('a second operator must confirm')
    expect(await say('Jonas')).toBe('resolved')
    expect((await waiting()).map(({ id }) => id)).toEqual([lone.id])
    for (const paymentId of ids.slice(0, -1)) {
      expect(await shown(paymentId)).toMatchObject({ paymentStatus: { status: 'Rejected' }, finalStatus: true })
      const history = await query('select action, actor from audit_log where subject_id = $1 order by at', paymentId)
      expect(history).toEqual([
        { action: 'task resolution proposed', actor: 'operator Ingrid' },
        { action: 'task resolved', actor: 'operator Jonas' },
      ])
    }
    expect(await shown(ids.at(-1) ?? '')).toMatchObject({ outcomeUnknown: true })
  })
})

describe('an initiation that certainly did not reach the bank', () => {
  test('is a 503 that leaves nothing when the bank’s port is closed, and the same key and order succeed later', async () => {
    const body = domesticPayment(gateway)
    const key = crypto.randomUUID()
    const [bank] = await query("select address from banks where bic = 'FJORNO22'")
    await query("update banks set address = 'http://127.0.0.1:9/fjordbanken' where bic = 'FJORNO22'")
    gateway.passWallTime(5)
    await eventually(async () => expect((await initiate(domesticPayment(gateway))).status).toBe(503))
    const rejected = await initiate(body, key)
    expect(rejected.status).toBe(503)
    expect(rejected.body).not.toHaveProperty('paymentId')
    const { payments } = await gateway.client.listPayments({ query: { endToEndId: body.metadata.endToEndId } })
    expect(payments).toEqual([])
    await query("update banks set address = $1 where bic = 'FJORNO22'", bank.address)
    gateway.passWallTime(5)
    await eventually(async () => expect((await initiate(domesticPayment(gateway))).status).toBe(200))
    expect(await initiate(body, key)).toMatchObject({ status: 200 })
  })
})

describe('a failure to record the bank’s response', () => {
  test('the partner gets a 503 that names the payment; recovery makes it an unknown outcome', async () => {
    const body = domesticPayment(gateway)
    const key = crypto.randomUUID()
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const answering = initiate(body, key)
    const find = () => query('select id from payments where end_to_end_id = $1', body.metadata.endToEndId)
    await eventually(async () => expect(await find()).toHaveLength(1))
    await query('alter table payment_history rename to payment_history_away')
    await openSandboxBankControl(gateway.bank).clearFaults()
    const answer = await answering
    await query('alter table payment_history_away rename to payment_history')
    const paymentId = paymentIdOf(answer)
    expect(answer).toMatchObject({ status: 503, body: { paymentId: (await find())[0].id } })

    await query("update payments set recover_at = '2020-01-01' where id = $1", paymentId)
    await gateway.sweep()
    expect(await shown(paymentId)).toMatchObject({ outcomeUnknown: true, finalStatus: false })
    expect(await initiate(body, key)).toMatchObject({ status: 409, body: { paymentId } })
    expect(await query('select kind from operator_tasks where subject_id = $1', paymentId)).toHaveLength(1)
  })

  test('even when nothing at all can be recorded, the partner gets the payment’s id', async () => {
    const [body, key] = [domesticPayment(gateway), crypto.randomUUID()]
    await openSandboxBankControl(gateway.bank).injectFault({
      operation: 'initiatePayment',
      effect: 'withhold-answer',
      times: 1,
    })
    const answering = initiate(body, key)
    const find = () => query('select id from payments where end_to_end_id = $1', body.metadata.endToEndId)
    await eventually(async () => expect(await find()).toHaveLength(1))
    await query('alter table idempotency rename to idempotency_away')
    const answer = await answering
    await query('alter table idempotency_away rename to idempotency')
    const [{ id: paymentId }] = await find()
    expect(answer).toMatchObject({ status: 503, body: { paymentId } })
    await query("update payments set recover_at = '2020-01-01' where id = $1", paymentId)
    await gateway.sweep()
    expect(await initiate(body, key)).toMatchObject({ status: 409, body: { paymentId } })
    expect(await query('select kind from operator_tasks where subject_id = $1', paymentId)).toHaveLength(1)
  })

  test('a rejection that cannot be recorded proves nothing: 503 with the payment, and the order stays blocked', async () => {
    const body = domesticPayment(gateway)
    await openSandboxBankControl(gateway.bank).holdNextCall('initiatePayment')
    const answering = initiate(
      { ...body, to: { ...body.to, account: { type: 'bban', bban: '80503000028' } } },
      'refused',
    )
    const find = () => query('select id from payments where end_to_end_id = $1', body.metadata.endToEndId)
    await eventually(async () => expect(await find()).toHaveLength(1))
    await query('alter table payments rename to payments_away')
    await openSandboxBankControl(gateway.bank).clearFaults()
    const answer = await answering
    await query('alter table payments_away rename to payments')
    expect(answer).toMatchObject({ status: 503, body: { paymentId: (await find())[0].id } })
  })
})

describe('the bank’s notification', () => {
  test('resolves the outcome: it reports the order that was signed in the online bank, and the key returns the payment', async () => {
    const key = crypto.randomUUID()
    const { body, paymentId, bankPaymentId } = await lostOrder(key)
    const before = await openSandboxBankControl(gateway.bank).payments()
    await openSandboxBankControl(gateway.bank).signInNetbank(bankPaymentId)
    await eventually(async () => expect(await shown(paymentId)).toMatchObject({ outcomeUnknown: false }))
    await eventually(async () => expect(await initiate(body, key)).toMatchObject({ status: 200, body: { paymentId } }))
    expect((await initiate(body, key)).headers.get('idempotent-replayed')).toBe('true')
    expect((await shown(paymentId)).paymentStatus.status).toBe('InProgress')
    await eventually(async () => {
      const tasks = await query('select status, resolved_by from operator_tasks where subject_id = $1', paymentId)
      expect(tasks).toEqual([{ status: 'resolved', resolved_by: 'havn' }])
    })
    expect(await openSandboxBankControl(gateway.bank).payments()).toHaveLength(before.length)
  })

  test('is ignored for an order of another amount, another payment’s order, or none', async () => {
    const lost = await lostOrder()
    const otherAmount = await lostOrder(undefined, { amount: { amount: '77.00', currency: 'NOK' } })
    const known = await gateway.client.initiateDomesticPayment({ consentId, psu: PSU, body: domesticPayment(gateway) })
    const [held] = await query('select bank_payment_id as id from payments where id = $1', known.paymentId)
    for (const id of [otherAmount.bankPaymentId, held.id, crypto.randomUUID(), '../../consents']) {
      expect(await sendBankNotification(gateway, lost.paymentId, { paymentId: id })).toBe(204)
      expect(await shown(lost.paymentId)).toMatchObject({ outcomeUnknown: true })
    }
    expect(await sendBankNotification(gateway, lost.paymentId, { paymentId: lost.bankPaymentId })).toBe(204)
    expect(await shown(lost.paymentId)).toMatchObject({ outcomeUnknown: false })
  })

  test('cannot be triggered without the notification URL', async () => {
    const { paymentId, bankPaymentId } = await lostOrder()
    const [row] = await query('select partner_id from payments where id = $1', paymentId)
    const answer = await gateway.fetch(`/hints/payments/${row.partner_id}/${paymentId}/${newToken()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ paymentId: bankPaymentId }),
    })
    expect(answer.status).toBe(204)
    expect(await shown(paymentId)).toMatchObject({ outcomeUnknown: true })
  })
})
