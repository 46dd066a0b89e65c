/** Tests polling: any status is recorded, notifications only trigger polls, failing banks affect no others. */
import { Value } from 'typebox/value'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PaymentStatusEvent } from '../../../contract/webhooks/webhook-events.ts'
import { composeSweeps } from '../../../launcher/roles/compose-sweeps.ts'
import { addBankDays } from '../../countries/bank-days.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { runSweepsUntilIdle } from '../../platform/jobs/sweep-runner.ts'
import { openSandboxBankControl, type SandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { passTime, passUntil } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { insertPendingPayments } from '../../testing/payments/settle-payments.ts'
import { bankPaymentIdOf, signInNetbank } from '../../testing/payments/sign-in-netbank.ts'
import { demoPartnerId } from '../../testing/webhooks/enqueue-status-change.ts'
import { findPaymentsOf } from '../find-orders.ts'
import type { Payment } from '../payment.ts'
import { pollPayment } from './poll-payment.ts'
import { recordPaymentStatus } from './record-payment-status.ts'

type Consent = Awaited<ReturnType<typeof acceptedConsent>>
type Followed = { readonly paymentId: string; readonly bankPaymentId: string }

let gateway: TestGateway
let bank: SandboxBankControl
let consent: Consent
beforeAll(async () => {
  gateway = await startTestGateway()
  bank = openSandboxBankControl(gateway.bank)
  consent = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  await bank.clearFaults()
  await sql('update banks set paused_until = null, failures = 0, failing_since = null')
  // Payments of earlier tests are not polled.
  await sql('update payments set poll_at = null')
})

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

async function unsigned(changes: Parameters<typeof domesticPayment>[1] = {}): Promise<Followed> {
  const body = domesticPayment(gateway, changes)
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body })
  return { paymentId, bankPaymentId: await bankPaymentIdOf(gateway, paymentId) }
}

async function signed(): Promise<Followed> {
  const payment = await unsigned()
  await signInNetbank(gateway, payment.paymentId)
  return payment
}

async function setAtBank({ bankPaymentId }: Followed, transactionStatus: string): Promise<void> {
  await bank.postControl(`/payments/${bankPaymentId}/status`, { transactionStatus })
}

async function makeDue({ paymentId }: Followed): Promise<void> {
  await sql('update payments set poll_at = $2, lease_until = null where id = $1', [
    paymentId,
    gateway.context.clock.now().toString(),
  ])
}

/** Polls it as a worker would. */
async function poll(payment: Followed): Promise<void> {
  await makeDue(payment)
  await gateway.sweep()
}

async function stored({ paymentId }: Followed) {
  const [row] = await sql<{
    status: string
    bankStatus: string
    pollAt: Temporal.Instant | null
    pollStep: number
    statusAt: Temporal.Instant
  }>(
    `select status, bank_status as "bankStatus", poll_at as "pollAt", poll_step as "pollStep", status_at as "statusAt"
     from payments where id = $1`,
    [paymentId],
  )
  return row
}

/** The payment as another process has read it before the bank answers. */
async function found({ paymentId }: Followed): Promise<Payment> {
  const [row] = await sql<{ partner: string }>('select partner_id as partner from payments where id = $1', [paymentId])
  const [payment] = await findPaymentsOf(gateway.context, row?.partner ?? '', [paymentId])
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}

async function history({ paymentId }: Followed): Promise<string[]> {
  const { statusHistory } = await gateway.client.getPayment({ params: { paymentId } })
  return statusHistory.map(({ status }) => status)
}

async function tasksOf({ paymentId }: Followed): Promise<string[]> {
  const tasks = await getOpenTasks(gateway.context)
  return tasks.filter(({ subjectId }) => subjectId === paymentId).map(({ kind }) => kind)
}

/** How often the bank was asked for the status of this payment; those of earlier tests may be polled meanwhile. */
function statusReads({ paymentId }: Followed): number {
  return gateway
    .logLines()
    .filter((line) => line.includes('"operation":"getPaymentStatus"') && line.includes(paymentId)).length
}

describe('a status', () => {
  it('is recorded and added to the history when it changes, and only then', async () => {
    const payment = await signed()
    const before = await stored(payment)
    await poll(payment)
    const after = await stored(payment)
    // The bank's notifications of the signature may add polls, before and after this one.
    expect(Temporal.Instant.compare(after?.statusAt ?? '1970-01-01T00Z', before?.statusAt ?? '1970-01-01T00Z')).toBe(1)
    expect(await history(payment)).toEqual(['Unsigned', 'InProgress'])
    await bank.postControl(`/payments/${payment.bankPaymentId}/settle`)
    await poll(payment)
    expect(await history(payment)).toEqual(['Unsigned', 'InProgress', 'Completed'])
    expect(await tasksOf(payment)).toEqual([])
  })

  it('is notified when its value changes, not at creation and not for a change of the reason alone', async () => {
    const payment = await signed()
    for (const word of ['PATC', 'ACSP', 'ACSC']) {
      await setAtBank(payment, word)
      await poll(payment)
    }
    await recordPaymentStatus(gateway.context, await found(payment), {
      status: 'Completed',
      statusReason: null,
      statusReasonText: 'booked',
      bankStatus: 'ACSC',
    })
    const events = await sql<{ type: string; body: string }>(
      'select type, body from events where subject_id = $1 order by position',
      [payment.paymentId],
    )
    expect(events.map(({ type }) => type)).toEqual([
      'PAYMENT_STATUS_IN_PROGRESS',
      'PAYMENT_STATUS_CUSTOMER_ACTION_REQUIRED',
      'PAYMENT_STATUS_IN_PROGRESS',
      'PAYMENT_STATUS_COMPLETED',
    ])
    const reported = events.map(({ body }) => Value.Parse(PaymentStatusEvent, JSON.parse(body)))
    expect(reported[1]?.data).toEqual({
      paymentId: payment.paymentId,
      previousStatus: 'InProgress',
      status: 'CustomerActionRequired',
      statusReason: 'PartlySigned',
      statusReasonText: null,
    })
    const times = reported.map(({ occurredAt }) => Temporal.Instant.from(occurredAt).epochMilliseconds)
    expect(times).toEqual([...new Set(times)].toSorted((one, other) => one - other))
    expect((await history(payment)).length).toBe(5)
  })

  it('with other codes of the bank stays the same: the codes are stored, and nothing else changes', async () => {
    const payment = await signed()
    const before = await found(payment)
    const observation = { status: 'InProgress', statusReason: null, bankStatus: 'ACSP' } as const
    for (const statusReasonText of ['one', 'another', null, 'one']) {
      await recordPaymentStatus(gateway.context, await found(payment), { ...observation, statusReasonText })
      expect(await found(payment)).toMatchObject({ statusReasonText })
    }
    expect(await history(payment)).toEqual(['Unsigned', 'InProgress'])
    expect((await found(payment)).changedAt.equals(before.changedAt)).toBe(true)
  })

  it('is returned with the latest hundred entries of its history, oldest first', async () => {
    const payment = await signed()
    await sql(
      `with former as (delete from payment_history where payment_id = $1 returning *)
       insert into payment_history (partner_id, payment_id, id, at, status, status_reason_text, bank_status)
       select partner_id, payment_id, overlay(id::text placing lpad(n::text, 12, '0') from 25)::uuid, at, status, n, bank_status
       from former, generate_series(0, 99) n where status = 'InProgress'`,
      [payment.paymentId],
    )
    const latest = { status: 'Completed', statusReason: null, statusReasonText: '100', bankStatus: 'ACSC' } as const
    await recordPaymentStatus(gateway.context, await found(payment), latest)
    const { statusHistory } = await gateway.client.getPayment({ params: payment })
    const texts = Array.from({ length: 100 }, (_, n) => String(n + 1))
    expect(statusHistory.map(({ statusReasonText }) => statusReasonText)).toEqual(texts)
  })

  it('that the bank changes after a final one is recorded too, and shown to operators', async () => {
    const payment = await signed()
    await setAtBank(payment, 'ACSC')
    await poll(payment)
    await setAtBank(payment, 'CANC')
    await poll(payment)
    expect(await history(payment)).toEqual(['Unsigned', 'InProgress', 'Completed', 'Cancelled'])
    expect(await tasksOf(payment)).toEqual(['UnexpectedStatus'])
    await setAtBank(payment, 'ACSP')
    await poll(payment)
    expect((await history(payment)).at(-1)).toBe('InProgress')
    expect(await tasksOf(payment)).toEqual(['UnexpectedStatus'])
  })

  it('of a payment that the bank returns after settlement is Rejected, which raises no task', async () => {
    const payment = await signed()
    await setAtBank(payment, 'ACSC')
    await poll(payment)
    await setAtBank(payment, 'RJCT')
    await poll(payment)
    expect((await history(payment)).slice(-2)).toEqual(['Completed', 'Rejected'])
    expect(await tasksOf(payment)).toEqual([])
  })

  it('with an unknown code stays the same, and the code is stored', async () => {
    const payment = await signed()
    await setAtBank(payment, 'PART')
    await poll(payment)
    expect(await stored(payment)).toMatchObject({ status: 'InProgress', bankStatus: 'PART' })
    await setAtBank(payment, 'ACSC')
    await poll(payment)
    expect(await stored(payment)).toMatchObject({ status: 'Completed', bankStatus: 'ACSC' })
  })

  it('with an unknown code each time is polled ever more rarely, whatever reason was stored, and then no longer', async () => {
    const payment = await signed()
    await setAtBank(payment, 'RJCT')
    await sql("update payments set status_reason = 'InsufficientFunds' where id = $1", [payment.paymentId])
    await poll(payment)
    await sql("update payments set status_reason = 'InsufficientFunds' where id = $1", [payment.paymentId])
    const { finalSince } = await found(payment)
    await setAtBank(payment, 'PART')
    await poll(payment)
    await poll(payment)
    const after = await found(payment)
    expect(after).toMatchObject({ status: 'Rejected', statusReason: 'InsufficientFunds' })
    // The bank's notification of a change may add a poll.
    expect(after.pollStep).toBeGreaterThanOrEqual(2)
    expect(after.finalSince?.equals(finalSince ?? '1970-01-01T00Z')).toBe(true)
  })

  it('of an order whose signature a further signer revokes is Unsigned again, although one has signed', async () => {
    const payment = await signed()
    await setAtBank(payment, 'PATC')
    await poll(payment)
    const partly = await found(payment)
    expect(partly).toMatchObject({ status: 'CustomerActionRequired', statusReason: 'PartlySigned', signed: false })
    expect(partly.pollAt?.since(partly.statusAt).total('seconds')).toBeLessThan(60)
    await setAtBank(payment, 'RCVD')
    await poll(payment)
    expect(await history(payment)).toEqual(['Unsigned', 'InProgress', 'CustomerActionRequired', 'Unsigned'])
  })

  it('is polled ever more rarely once final, and no longer after ten bank days', async () => {
    const payment = await signed()
    await setAtBank(payment, 'ACSC')
    const first = await eventually(async () => {
      // A notification of the signature makes the payment due again, at once or some seconds later.
      await sql('update payments set bank_notified_at = null where id = $1', [payment.paymentId])
      await poll(payment)
      const after = await stored(payment)
      expect(after?.pollAt?.since(after.statusAt).total('minutes')).toBeGreaterThanOrEqual(60)
      return after
    })
    expect(first?.status).toBe('Completed')
    const { clock } = gateway.context
    const eleventh = addBankDays(['NO'], clock.today('Europe/Oslo'), 11)
    await passUntil(gateway, `${eleventh.add({ days: 1 })}T12:00:00Z`)
    expect(await stored(payment)).toMatchObject({ status: 'Completed', pollAt: null })
  })
})

describe('two concurrent polls', () => {
  it('never record the one that was overtaken; the bank is polled again instead', async () => {
    const payment = await unsigned()
    const asRead = await found(payment)
    const reading = { statusReason: null, statusReasonText: null }
    await recordPaymentStatus(gateway.context, asRead, { ...reading, status: 'InProgress', bankStatus: 'ACSP' })
    await recordPaymentStatus(gateway.context, asRead, { ...reading, status: 'Unsigned', bankStatus: 'RCVD' })
    const after = await stored(payment)
    expect(after).toMatchObject({ status: 'InProgress', bankStatus: 'ACSP', pollStep: 0 })
    expect(after?.pollAt?.epochMilliseconds).toBeLessThanOrEqual(gateway.context.clock.now().epochMilliseconds)
    expect(await tasksOf(payment)).toEqual([])
  })
})

describe('what happens during a poll', () => {
  it.each([
    ['a signature', 'update payments set signed = true where id = $1'],
    ['a notification', 'update payments set bank_notified_at = now() where id = $1'],
  ])('%s triggers another poll at once', async (_what, happening) => {
    const payment = await unsigned()
    const asRead = await found(payment)
    await sql(happening, [payment.paymentId])
    const reading = { status: 'Unsigned', statusReason: null, statusReasonText: null, bankStatus: 'RCVD' } as const
    await recordPaymentStatus(gateway.context, asRead, reading)
    const after = await stored(payment)
    expect(after?.pollAt?.epochMilliseconds).toBeLessThanOrEqual(gateway.context.clock.now().epochMilliseconds)
  })

  it('an inbound notification does not revert a recorded poll', async () => {
    const payment = await unsigned()
    const asRead = await found(payment)
    await sql('update payments set bank_notified_at = now() where id = $1', [payment.paymentId])
    const reading = { status: 'Rejected', statusReason: null, statusReasonText: null, bankStatus: 'RJCT' } as const
    await recordPaymentStatus(gateway.context, asRead, reading)
    expect(await stored(payment)).toMatchObject({ status: 'Rejected', bankStatus: 'RJCT' })
  })
})

describe('an unsigned order', () => {
  it('is cancelled at the bank after its due date, and Cancelled when the bank reports it', async () => {
    const payment = await unsigned()
    // From here on the bank does not delete it by itself.
    await setAtBank(payment, 'RCVD')
    await passTime(gateway, 'P1DT4H')
    expect((await bank.payments()).find(({ paymentId }) => paymentId === payment.bankPaymentId)).toMatchObject({
      transactionStatus: 'CANC',
    })
    expect(await stored(payment)).toMatchObject({ status: 'Cancelled', bankStatus: 'CANC' })
    expect(await history(payment)).toEqual(['Unsigned', 'Cancelled'])
  })

  it('stays Unsigned while the bank does not confirm the cancellation', async () => {
    const payment = await unsigned()
    await setAtBank(payment, 'RCVD')
    await bank.injectFault({ operation: 'cancelPayment', effect: 'drop-request' })
    await passTime(gateway, 'P1DT4H')
    expect(await stored(payment)).toMatchObject({ status: 'Unsigned' })
    await bank.clearFaults()
    await passTime(gateway, 'PT7H')
    expect(await stored(payment)).toMatchObject({ status: 'Cancelled' })
  })
})

describe('a signed order', () => {
  /** Its due date passed long ago; a move of the clock would poll it dozens of times. */
  async function makeOverdue(payment: Followed): Promise<void> {
    const { dueDate, ordered } = await found(payment)
    const past = dueDate.subtract({ days: 20 }).toString()
    await sql(
      `update payments set due_date = $2, ordered = $3, created_at = created_at - interval '20 days',
         signed_at = signed_at - interval '20 days' where id = $1`,
      [payment.paymentId, past, JSON.stringify({ ...ordered, dueDate: past })],
    )
  }

  it.each([
    ['PATC', 'CustomerActionRequired', 'PartlySigned'],
    ['PART', 'InProgress', null],
  ] as const)(
    'that is %s long after its due date becomes an operator task that says so',
    async (word, status, statusReason) => {
      const payment = await signed()
      await setAtBank(payment, word)
      await bank.injectFault({ operation: 'cancelPayment', effect: 'drop-request' })
      await makeOverdue(payment)
      await poll(payment)
      const tasks = (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === payment.paymentId)
      expect(tasks.map(({ kind }) => kind)).toEqual(['StuckInProgress'])
      expect(tasks[0]?.detail).toMatchObject({ status, statusReason })
    },
  )

  it.each([
    ['CustomerActionRequired', 'SmsConfirmationRequired', false],
    ['CustomerActionRequired', 'InsufficientFunds', true],
    ['Unsigned', null, true],
  ] as const)(
    'that is %s, %s, when its bank cannot be polled any more becomes a task too',
    async (status, reason, signed) => {
      const payment = await unsigned()
      await bank.injectFault({ operation: 'getPaymentStatus', effect: 'drop-request' })
      await sql('update payments set status = $2, status_reason = $3, signed = $4 where id = $1', [
        payment.paymentId,
        status,
        reason,
        signed,
      ])
      await makeOverdue(payment)
      await pollPayment(gateway.context, await found(payment))
      const tasks = (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === payment.paymentId)
      expect(tasks.map(({ kind }) => kind)).toEqual(['StuckInProgress'])
      expect(tasks[0]?.detail).toMatchObject({ status, statusReason: reason, signed })
    },
  )

  it('that lacks a signature after its due date is cancelled at the bank, which may leave that to operators', async () => {
    const payment = await signed()
    await setAtBank(payment, 'PATC')
    await poll(payment)
    expect(await tasksOf(payment)).toEqual([])
    await makeOverdue(payment)
    await poll(payment)
    expect(await tasksOf(payment)).toContain('CannotBeWithdrawn')
    const free = await unsigned()
    await setAtBank(free, 'PATC')
    await poll(free)
    await makeOverdue(free)
    await poll(free)
    expect(await stored(free)).toMatchObject({ status: 'Cancelled', bankStatus: 'CANC' })
  })

  it('with a later execution date is overdue by that date', async () => {
    const payment = await signed()
    await setAtBank(payment, 'ACSP')
    const { dueDate, ordered } = await found(payment)
    const past = dueDate.subtract({ days: 20 }).toString()
    const body = JSON.stringify({ ...ordered, dueDate: past })
    await sql('update payments set due_date = $2, ordered = $3 where id = $1', [payment.paymentId, past, body])
    await poll(payment)
    expect(await tasksOf(payment)).toEqual([])
  })
})

describe('an order in progress', () => {
  it('that is not final two bank days after its due date becomes a task, once', async () => {
    const payment = await signed()
    await setAtBank(payment, 'ACSP')
    const lastDay = addBankDays(['NO'], gateway.context.clock.today('Europe/Oslo'), 2)
    const passUntilEveningOf = async (day: Temporal.PlainDate) => {
      const evening = day.toZonedDateTime({ timeZone: 'Europe/Oslo', plainTime: '20:00' }).toInstant()
      await passUntil(gateway, evening)
    }
    await passUntilEveningOf(lastDay)
    expect(await tasksOf(payment)).toEqual([])
    await passUntilEveningOf(lastDay.add({ days: 1 }))
    expect(await tasksOf(payment)).toEqual(['StuckInProgress'])
  })
})

describe('fifty orders whose reads fail', () => {
  const FAILING = 50

  async function failingOrders(): Promise<void> {
    const orders = await insertPendingPayments(gateway.context, await demoPartnerId(gateway), FAILING)
    await sql('update payments set consent_id = $2, due_date = $3, poll_at = $4 where id = any($1)', [
      orders.map(({ id }) => id),
      consent.consentId,
      gateway.context.clock.today('Europe/Oslo').toString(),
      gateway.context.clock.now().toString(),
    ])
    for (const { bankPaymentId } of orders) {
      await bank.injectFault({ operation: '*', effect: 'status', status: 500, resource: bankPaymentId ?? '' })
    }
  }

  it('do not keep another payment from being read within 30 seconds', async () => {
    await failingOrders()
    await gateway.sweep()
    const fjordbanken = { params: { countryCode: 'NO', bic: 'FJORNO22' } } as const
    const shown = async () => (await gateway.client.getBank(fjordbanken)).status
    const healthy = await signed()
    await bank.postControl(`/payments/${healthy.bankPaymentId}/settle`)
    for (let second = 0; second < 30 && (await stored(healthy))?.status !== 'Completed'; second += 1) {
      gateway.passWallTime(1)
      await gateway.sweep()
    }
    expect(await stored(healthy)).toMatchObject({ status: 'Completed' })
    await expect.poll(shown).toBe('Operational')
  })
})

describe('a bank that requests no call for a time', () => {
  it.each([
    [503, () => '600'],
    [429, () => new Date(Date.now() + 600_000).toUTCString()],
  ])('with %s is not called before, by any poll', async (status, retryAfter) => {
    const payment = await signed()
    const fault = { operation: 'getPaymentStatus', effect: 'status', status, retryAfter: retryAfter() } as const
    await bank.injectFault({ ...fault, resource: payment.bankPaymentId })
    await poll(payment)
    const waits = (await stored(payment))?.pollAt?.since(gateway.context.clock.now()).total('seconds')
    expect(waits).toBeGreaterThan(540)
    expect(waits).toBeLessThanOrEqual(602)
    const before = statusReads(payment)
    await poll(payment)
    expect(statusReads(payment)).toBe(before)
    expect((await stored(payment))?.pollAt?.since(gateway.context.clock.now()).total('seconds')).toBeGreaterThan(500)
    await gateway.context.banks.resetFailures()
  })
})

describe('a bank that is down', () => {
  it('changes no status, delays no payment of another bank, shows as Degraded, and recovers', async () => {
    const [lost, well] = [await signed(), await signed()]
    await putSecondBank()
    await sql("update payments set bic = 'NEDENO22' where id = $1", [lost.paymentId])
    await setAtBank(well, 'ACSC')
    for (let round = 0; round < 4; round += 1) {
      await makeDue(lost)
      await gateway.sweep()
    }
    await makeDue(well)
    await gateway.sweep()
    expect(await stored(lost)).toMatchObject({ status: 'InProgress' })
    expect(await stored(well)).toMatchObject({ status: 'Completed' })
    await expect.poll(banksShown).toMatchObject({ FJORNO22: 'Operational', NEDENO22: 'Degraded' })
    await sql("update banks set failing_since = $1 where bic = 'NEDENO22'", [
      gateway.context.clock.real().subtract({ seconds: 61 }).toString(),
    ])
    gateway.passWallTime(5)
    expect(await banksShown()).toMatchObject({ NEDENO22: 'Down' })

    await sql("update banks set address = (select address from banks where bic = 'FJORNO22') where bic = 'NEDENO22'")
    gateway.passWallTime(5)
    await expect
      .poll(async () => {
        await makeDue(lost)
        await gateway.client.getPaymentStatus({ params: lost })
        return (await banksShown())['NEDENO22']
      })
      .toBe('Operational')
  })

  it('is not called by the sweep while it is paused, and called again afterwards', async () => {
    const payment = await signed()
    await bank.injectFault({ operation: '*', effect: 'down' })
    for (let round = 0; round < 3; round += 1) {
      await makeDue(payment)
      await gateway.sweep()
    }
    const before = statusReads(payment)
    await makeDue(payment)
    await gateway.sweep()
    expect(statusReads(payment)).toBe(before)
    const paused = await stored(payment)
    expect(paused?.pollAt && Temporal.Instant.compare(paused.pollAt, gateway.context.clock.now())).toBe(1)
    await bank.clearFaults()
    await setAtBank(payment, 'ACSC')
    gateway.passWallTime(5)
    await expect
      .poll(async () => {
        await makeDue(payment)
        await gateway.sweep()
        return (await stored(payment))?.status
      })
      .toBe('Completed')
  })

  async function banksShown(): Promise<Record<string, string>> {
    const banks = await gateway.client.listBanks({ params: { countryCode: 'NO' } })
    return Object.fromEntries(banks.map(({ bic, status }) => [bic, status]))
  }

  /** Adds a bank without a server; the directory reads it within five seconds. */
  async function putSecondBank(): Promise<void> {
    await sql(`insert into banks (bic, name, country_code, connector, profile, address, link_hosts)
      select 'NEDENO22', 'Nedebanken', country_code, connector, profile, 'http://127.0.0.1:9/x', link_hosts
      from banks where bic = 'FJORNO22'`)
    gateway.passWallTime(5)
    expect(await gateway.context.banks.find('NEDENO22')).toBeDefined()
  }
})

describe('an inbound notification', () => {
  async function hint(path: string, body: object = {}): Promise<number> {
    const response = await fetch(`${gateway.url}/hints/payments/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.status
  }

  /** The notification URL that the bank received for a payment. */
  async function addressOf({ bankPaymentId }: Followed): Promise<string> {
    const [row] = await sql<{ uri: string }>(
      'select notification_uri as uri from sandbox_bank.payments where id = $1',
      [bankPaymentId],
    )
    return row?.uri.split('/hints/payments/')[1] ?? ''
  }

  it('is answered with 204 whether it is known or not, and triggers a poll only when it is', async () => {
    const payment = await unsigned()
    const far = await stored(payment)
    const address = await addressOf(payment)
    const [partnerId, , token] = address.split('/')
    const wrong = [`${address}x`, `${partnerId}/${partnerId}/${token}`, `x/${payment.paymentId}/${token}`]
    expect(await Promise.all(wrong.map((path) => hint(path)))).toEqual([204, 204, 204])
    expect((await stored(payment))?.pollAt?.equals(far?.pollAt ?? '1970-01-01T00Z')).toBe(true)
    expect(await hint(address)).toBe(204)
    const soon = (await stored(payment))?.pollAt
    expect(soon && Temporal.Instant.compare(soon, gateway.context.clock.now())).toBeLessThanOrEqual(0)
  })

  it('goes to a URL with 256 random bits, different for each payment, which is stored only as a hash', async () => {
    const payments = [await unsigned(), await unsigned()]
    const tokens = await Promise.all(
      payments.map(async (payment) => (await addressOf(payment)).split('/').at(-1) ?? ''),
    )
    expect(new Set(tokens).size).toBe(2)
    expect(tokens.map((token) => Buffer.from(token, 'base64url').length)).toEqual([32, 32])
    for (const [n, { paymentId }] of payments.entries()) {
      const [row] = await sql<{ text: string }>('select p::text as text from payments p where id = $1', [paymentId])
      expect(row?.text).not.toContain(tokens[n])
      expect(gateway.logLines().join('\n')).not.toContain(tokens[n])
    }
  })

  it('is never trusted: the bank is polled', async () => {
    const payment = await unsigned()
    await hint(await addressOf(payment), { transactionStatus: 'ACSC', paymentId: payment.bankPaymentId })
    await gateway.sweep()
    expect(await stored(payment)).toMatchObject({ status: 'Unsigned', bankStatus: 'RCVD' })
    expect(await history(payment)).toEqual(['Unsigned'])
  })

  it('triggers one poll of the payment within ten seconds, however often it is repeated', async () => {
    const payment = await unsigned()
    const address = await addressOf(payment)
    await sql('update payments set bank_notified_at = null where id = $1', [payment.paymentId])
    const before = statusReads(payment)
    for (let number = 0; number < 5; number += 1) {
      await hint(address)
      await gateway.sweep()
    }
    expect(statusReads(payment)).toBe(before + 1)
    await sql('update payments set bank_notified_at = $2 where id = $1', [
      payment.paymentId,
      gateway.context.clock.real().subtract({ seconds: 11 }).toString(),
    ])
    await hint(address)
    await gateway.sweep()
    expect(statusReads(payment)).toBe(before + 2)
  })

  it('within ten seconds of another one triggers a poll when they are over', async () => {
    const payment = await unsigned()
    const address = await addressOf(payment)
    const bankNotifiedAt = gateway.context.clock.real().subtract({ seconds: 4 })
    await sql('update payments set bank_notified_at = $2 where id = $1', [payment.paymentId, bankNotifiedAt.toString()])
    await hint(address)
    await hint(address)
    const pollAt = (await stored(payment))?.pollAt
    const seconds = pollAt?.since(gateway.context.clock.now()).total('seconds')
    expect(seconds).toBeGreaterThan(4)
    expect(seconds).toBeLessThanOrEqual(6)
  })

  it('that is scheduled for later is preserved by an earlier poll, because the next notification relies on it', async () => {
    const payment = await unsigned()
    const address = await addressOf(payment)
    const bankNotifiedAt = gateway.context.clock.real().subtract({ seconds: 4 })
    await sql('update payments set bank_notified_at = $2 where id = $1', [payment.paymentId, bankNotifiedAt.toString()])
    await hint(address)
    await poll(payment)
    await hint(address)
    const pollAt = (await stored(payment))?.pollAt
    expect(pollAt?.since(gateway.context.clock.now()).total('seconds')).toBeLessThanOrEqual(6)
  })

  it('about a payment that is no longer polled triggers a poll', async () => {
    const payment = await unsigned()
    const address = await addressOf(payment)
    await setAtBank(payment, 'ACSC')
    await poll(payment)
    await setAtBank(payment, 'RJCT')
    await sql('update payments set poll_at = null, bank_notified_at = null where id = $1', [payment.paymentId])
    expect(await hint(address)).toBe(204)
    const pollAt = (await stored(payment))?.pollAt
    expect(pollAt?.since(gateway.context.clock.now()).total('seconds')).toBeLessThanOrEqual(10)
    await poll(payment)
    expect(await stored(payment)).toMatchObject({ status: 'Rejected' })
  })
})

describe('two workers on one database', () => {
  it('poll each due payment once between them', async () => {
    const payments: Followed[] = []
    for (let number = 0; number < 4; number += 1) {
      payments.push(await unsigned())
    }
    const other = composeSweeps(gateway.context)
    for (const payment of payments) {
      await makeDue(payment)
    }
    await Promise.all([gateway.sweep(), runSweepsUntilIdle(other), runSweepsUntilIdle(composeSweeps(gateway.context))])
    expect(payments.map(statusReads)).toEqual(payments.map(() => 1))
    expect((await Promise.all(payments.map(stored))).map((row) => row?.pollStep)).toEqual(payments.map(() => 1))
  })

  it('leave a payment to the one that polls it, under a lease, while the bank answers', async () => {
    const payment = await unsigned()
    // The first call of this payment alone: a notification may have made another one due.
    const held = { effect: 'slow', milliseconds: 60_000, times: 1, resource: payment.bankPaymentId } as const
    await bank.injectFault({ operation: 'getPaymentStatus', ...held })
    await makeDue(payment)
    const sweeping = gateway.sweep()
    await eventually(async () => expect(await bank.faults()).toEqual([]))
    await runSweepsUntilIdle(composeSweeps(gateway.context))
    await bank.clearFaults()
    await sweeping
    expect(statusReads(payment)).toBe(1)
  })

  it('record one change once, although both poll it', async () => {
    const payment = await signed()
    await setAtBank(payment, 'ACSC')
    await makeDue(payment)
    const read = () => gateway.client.getPaymentStatus({ params: payment })
    await Promise.all([read(), read(), read(), gateway.sweep()])
    expect(await history(payment)).toEqual(['Unsigned', 'InProgress', 'Completed'])
  })
})

describe('GET of an open payment', () => {
  it('polls the bank once for concurrent requests', async () => {
    const payment = await unsigned()
    await makeDue(payment)
    const before = statusReads(payment)
    await Promise.all(Array.from({ length: 8 }, () => gateway.client.getPaymentStatus({ params: payment })))
    expect(statusReads(payment)).toBe(before + 1)
  })

  it('polls the bank when the next poll is due, and not before', async () => {
    const payment = await unsigned()
    // The bank's own notification, which would trigger a poll at once, comes within the quiet time of another.
    const bankNotifiedAt = gateway.context.clock.real().toString()
    await sql('update payments set bank_notified_at = $2 where id = $1', [payment.paymentId, bankNotifiedAt])
    await bank.postControl(`/payments/${payment.bankPaymentId}/sign`)
    expect(await gateway.client.getPaymentStatus({ params: payment })).toMatchObject({ status: 'Unsigned' })
    await makeDue(payment)
    expect(await gateway.client.getPaymentStatus({ params: payment })).toMatchObject({ status: 'InProgress' })
  })

  it('returns in its timestamp when the bank was last polled', async () => {
    const payment = await unsigned()
    await makeDue(payment)
    const before = gateway.context.clock.now()
    const { timestamp } = await gateway.client.getPaymentStatus({ params: payment })
    expect(Temporal.Instant.compare(Temporal.Instant.from(timestamp), before)).toBeGreaterThanOrEqual(0)
    const again = await gateway.client.getPaymentStatus({ params: payment })
    expect(again.timestamp).toBe(timestamp)
  })
})

describe('a scrape of the metrics', () => {
  /** What a scraper reads; the sandbox serves it on the port of the API. */
  const scrape = async () => await (await fetch(`${gateway.url}/metrics`)).text()
  const openOf = (text: string) =>
    Number(/^havn_payments_open\{status="Unsigned",age="hour"\} (\d+)$/m.exec(text)?.[1] ?? 0)

  it('returns the number of open payments, the delay of their polls and the state of banks', async () => {
    // They are counted once a minute.
    gateway.passWallTime(61)
    const before = openOf(await scrape())
    const { paymentId } = await unsigned()
    const behind = gateway.context.clock.now().subtract({ seconds: 100 }).toString()
    await sql('update payments set poll_at = $2 where id = $1', [paymentId, behind])
    const paused = gateway.context.clock.real().add({ seconds: 120 }).toString()
    await sql("update banks set paused_until = $1, failures = 3, failing_since = $1 where bic = 'FJORNO22'", [paused])
    gateway.passWallTime(61)
    const text = await scrape()
    expect(text).toContain('havn_bank_status{bank="FJORNO22",status="Paused"} 1')
    expect(openOf(text)).toBe(before + 1)
    expect(Number(/^havn_payment_poll_lag_seconds (.+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(100)
    expect(text).toMatch(/havn_bank_status\{bank="FJORNO22",status="(Operational|Degraded)"\} 1/)
  })
})
