/** Tests settlement by entries at banks whose last status precedes settlement, within the read quota of the account. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BookedEntry } from '../../banks/connector/bank-account.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { Connector } from '../../banks/connector/connector.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import {
  type AccountRead,
  countUnattendedRead,
  readQuotaErrorOf,
} from '../../consents/unattended-reads/unattended-reads.ts'
import type { Context } from '../../context.ts'
import { getOpenTasks } from '../../operators/resolve-task.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment } from '../../testing/payments/sample-payments.ts'
import { findDebtorAccount } from '../parse/stored-order.ts'
import type { Payment } from '../payment.ts'
import { findPayment } from '../store/payment-store.ts'
import { pollPayment } from './poll-payment.ts'
import { NO_ENTRY_YET } from './settle-by-entries.ts'

const DAY_MILLISECONDS = 86_400_000

let gateway: TestGateway
let consent: Awaited<ReturnType<typeof acceptedConsent>>
/** The entries that the bank shows. */
let word: 'InProgress' | 'Rejected'
let entries: BookedEntry[]
let reads: number
let readFrom: string
let days: number
let rejection: BankError | null
beforeAll(async () => {
  gateway = await startTestGateway()
  consent = await acceptedConsent(gateway)
})
afterAll(() => gateway.close())
beforeEach(async () => {
  word = 'InProgress'
  entries = []
  reads = 0
  days = 0
  rejection = null
  await sql('delete from entry_reads')
  await sql('delete from unattended_reads')
  await sql('update payments set poll_at = null, due_date = $1', ['2100-01-01'])
})

async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await gateway.context.database.pool.query<Row>(text, values)).rows
}

/** A gateway whose bank reports no more than that it accepted the order, `days` later. */
function context(): Context {
  const { banks, clock } = gateway.context
  const connectorOf: Context['banks']['connectorOf'] = (bank): Connector => {
    const connector = banks.connectorOf(bank)
    if (connector.accounts === undefined || connector.domesticPayments === undefined) {
      throw new Error('The connector offers no accounts')
    }
    const bookedEntries: typeof connector.accounts.bookedEntries = async (_caller, _account, { from }) => {
      reads += 1
      readFrom = from.toString()
      if (rejection !== null) {
        throw rejection
      }
      return entries
    }
    const read = async () => ({ status: word, statusReason: null, statusReasonText: null, bankStatus: 'ACCP' }) as const
    return {
      ...connector,
      accounts: { ...connector.accounts, bookedEntries },
      domesticPayments: { ...connector.domesticPayments, read },
    }
  }
  const find: Context['banks']['find'] = async (bic) => {
    const bank = await banks.find(bic)
    return bank && { ...bank, profile: { ...bank.profile, lastVisible: 'accepted' } }
  }
  const now = () => clock.now().add({ milliseconds: Math.round(days * DAY_MILLISECONDS) })
  const today = (timeZone: string) => now().toZonedDateTimeISO(timeZone).toPlainDate()
  return { ...gateway.context, banks: { ...banks, connectorOf, find }, clock: { ...clock, now, today } }
}

async function inProgress(): Promise<Payment> {
  const { paymentId } = await gateway.client.initiateDomesticPayment({ ...consent, body: domesticPayment(gateway) })
  await sql("update payments set status = 'InProgress', signed = true, poll_at = null where id = $1", [paymentId])
  return await found(paymentId)
}

async function found(id: string): Promise<Payment> {
  const [row] = await sql<{ partnerId: string }>('select partner_id as "partnerId" from payments where id = $1', [id])
  const payment = await findPayment(gateway.context.database, { partnerId: row?.partnerId ?? '', id })
  if (payment === undefined) {
    throw new Error('The payment is not there')
  }
  return payment
}

function entryOf({ amount, creditorBban, dueDate, id }: Payment): BookedEntry {
  const reported = { counterpartyIban: null, counterpartyName: null, endToEndId: null, reference: null, message: null }
  const booked = { ...amount, minor: -amount.minor }
  return { transactionId: `T ${id}`, amount: booked, bookedOn: dueDate, counterpartyBban: creditorBban, ...reported }
}

/** Reads the entries of a payment's account as the partner does, without the user. */
async function partnersReading(payment: Payment): Promise<AccountRead> {
  const bank = await context().banks.find(payment.bic)
  const of = await consentOf(gateway.context, payment)
  const account = of && (await findDebtorAccount(gateway.context, of, payment))
  if (bank === undefined || of === undefined || account === undefined) {
    throw new Error('The bank, the consent or the account is not there')
  }
  return { bank, consent: of, psu: null, kind: 'entries', stableId: account.stableId }
}

const follow = async ({ id }: Payment) => await pollPayment(context(), await found(id))

describe('a payment that its bank has accepted without reporting settlement', () => {
  test('is Completed by its entry on the account after the due date, and stays so whatever the bank repeats', async () => {
    const payment = await inProgress()
    entries = [entryOf(payment)]
    expect(await follow(payment)).toMatchObject({ status: 'InProgress', statusReasonText: null })
    expect(reads).toBe(0)
    days = 1
    expect(await follow(payment)).toMatchObject({ status: 'Completed', settledBy: `id T ${payment.id}` })
    expect(await follow(payment)).toMatchObject({ status: 'Completed' })
    const events = await sql<{ type: string }>('select type from events where subject_id = $1', [payment.id])
    expect(events.at(-1)).toEqual({ type: 'PAYMENT_STATUS_COMPLETED' })
    word = 'Rejected'
    expect(await follow(payment)).toMatchObject({ status: 'Rejected', settledBy: null })
  })

  test('is explained while no entry shows it, and becomes an operator task after two bank days', async () => {
    const payment = await inProgress()
    days = 1
    expect(await follow(payment)).toMatchObject({ status: 'InProgress', statusReasonText: NO_ENTRY_YET })
    expect((await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === payment.id)).toEqual([])
    days = 10
    await follow(payment)
    const tasks = (await getOpenTasks(gateway.context)).filter(({ subjectId }) => subjectId === payment.id)
    expect(tasks.map(({ kind }) => kind)).toEqual(['StuckInProgress'])
  })

  test('is looked up once by workers whose clocks differ slightly, and again after the clock was set back', async () => {
    const payment = await inProgress()
    days = 10
    await follow(payment)
    days = 9.9999
    await follow(payment)
    expect(reads).toBe(1)
    days = 1
    await follow(payment)
    expect(reads).toBe(2)
  })

  test('shares four reads of the account a day with all payments from it', async () => {
    const payments = await Promise.all(Array.from({ length: 5 }, inProgress))
    days = 1
    for (const payment of payments) {
      await follow(payment)
    }
    expect(reads).toBe(1)
    days = 1.25
    entries = payments.map(entryOf)
    await Promise.all(payments.map(follow))
    expect(reads).toBe(2)
    const settled = await Promise.all(payments.map(({ id }) => found(id)))
    expect(settled.map(({ status }) => status)).toEqual(payments.map(() => 'Completed'))
    expect(new Set(settled.map(({ settledBy }) => settledBy)).size).toBe(payments.length)
  })

  test('has reads of its own where an account in another currency shares the number', async () => {
    const payment = await inProgress()
    const columns = 'partner_id, consent_id, stable_id, bban, iban, bic, name, owner_name, type, payable'
    await sql(
      `insert into consent_accounts (id, resource_id, currency, ${columns})
       select gen_random_uuid(), 'eur', 'EUR', ${columns} from consent_accounts where bban = $1`,
      [payment.debtorBban],
    )
    const other = await inProgress()
    const { ordered, id } = other
    const inEuros = JSON.stringify({ ...ordered, from: { ...ordered.from, currency: 'EUR' } })
    await sql(`update payments set ordered = $2, currency = 'EUR' where id = $1`, [id, inEuros])
    days = 1
    for (const one of [payment, other, payment, other]) {
      await follow(one)
    }
    expect(reads).toBe(2)
    await sql("delete from consent_accounts where currency = 'EUR'")
  })

  test('that was not found in time uses no read, and does not extend the period of the reads for other payments', async () => {
    const [old, young] = [await inProgress(), await inProgress()]
    const [past, signed] = ['2026-01-02', '2026-01-02T09:00:00Z']
    const ordered = JSON.stringify({ ...old.ordered, dueDate: past })
    await sql('update payments set due_date = $2, ordered = $3, created_at = $4, signed_at = $4 where id = $1', [
      old.id,
      past,
      ordered,
      signed,
    ])
    days = 1
    await follow(old)
    expect(reads).toBe(0)
    entries = [entryOf(young)]
    expect(await follow(young)).toMatchObject({ status: 'Completed' })
    expect(readFrom).toBe(young.dueDate.toString())
    expect(await found(old.id)).toMatchObject({ status: 'InProgress' })
  })

  test('becomes a task once while the bank does not show its account, and once more after the account was readable in between', async () => {
    const payment = await inProgress()
    const reported = async () =>
      await sql("select from operator_tasks where subject_id = $1 and kind = 'BankCannotBeRead'", [payment.id])
    const close = () => sql("update operator_tasks set status = 'resolved' where subject_id = $1", [payment.id])
    for (const [day, kind, tasks] of [
      [1, 'unavailable', 0],
      [1.5, 'consent-invalid', 1],
      [2, 'consent-invalid', 1],
      [2.5, null, 1],
      [3, 'consent-invalid', 2],
    ] as const) {
      days = day
      rejection = kind && new BankError(kind, 'The bank says no')
      await follow(payment)
      expect(await reported()).toHaveLength(tasks)
      await close()
    }
    expect(reads).toBe(5)
  })

  test('uses half of the daily reads of its account, and leaves the rest to the partner', async () => {
    const payment = await inProgress()
    const { clock } = gateway.context
    const night = clock.today('Europe/Oslo').add({ days: 1 }).toZonedDateTime({
      timeZone: 'Europe/Oslo',
      plainTime: '01:00',
    })
    const seen: number[] = []
    for (const hours of [0, 7, 14, 21, 28]) {
      days = night.add({ hours }).toInstant().since(clock.now()).total('milliseconds') / DAY_MILLISECONDS
      await follow(payment)
      seen.push(reads)
    }
    expect(seen).toEqual([1, 2, 2, 2, 3])
  })

  test('has one read a day reserved, even if the partner uses all others', async () => {
    const payment = await inProgress()
    days = 1
    const read = await partnersReading(payment)
    for (let n = 0; n < 3; n += 1) {
      await countUnattendedRead(context(), read)
    }
    await expect(countUnattendedRead(context(), read)).rejects.toMatchObject({ reasonCode: 'too-many-requests' })
    entries = [entryOf(payment)]
    expect(await follow(payment)).toMatchObject({ status: 'Completed' })
    await expect(countUnattendedRead(context(), read)).rejects.toMatchObject({ reasonCode: 'too-many-requests' })
  })

  test('is looked up as soon as the quota allows a read again: a claim without a read does not block', async () => {
    const payment = await inProgress()
    const { clock } = gateway.context
    const at = { timeZone: 'Europe/Oslo', plainTime: '23:00' }
    const late = clock.today(at.timeZone).add({ days: 1 }).toZonedDateTime(at)
    const untilThen = late.toInstant().since(clock.now()).total('milliseconds') / DAY_MILLISECONDS
    days = untilThen
    const usedUp = new BankError('too-many-reads', 'Too often')
    await readQuotaErrorOf(context(), await partnersReading(payment), usedUp)
    await follow(payment)
    expect(reads).toBe(0)
    days = untilThen + 2 / 24
    await follow(payment)
    expect(reads).toBe(1)
  })

  test('is not settled by an entry that has settled another payment', async () => {
    const [first, second] = [await inProgress(), await inProgress()]
    entries = [entryOf(first)]
    await sql('update payments set due_date = $2 where id = $1', [second.id, '2100-01-01'])
    days = 1
    expect(await follow(first)).toMatchObject({ status: 'Completed' })
    await sql('update payments set due_date = $2 where id = $1', [second.id, second.dueDate.toString()])
    days = 2
    expect(await follow(second)).toMatchObject({ status: 'InProgress' })
    expect(reads).toBe(2)
  })

  test('shares an entry with an equal payment that was ordered by the other number of the account', async () => {
    const [byNumber, byIban] = [await inProgress(), await inProgress()]
    const { debtorBban } = byNumber
    // A bank that lists the IBAN only, which its partner may give as it is.
    await sql('update consent_accounts set bban = null where bban = $1', [debtorBban])
    await sql(
      'update payments set debtor_bban = a.iban from consent_accounts a where a.bban is null and payments.id = $1',
      [byIban.id],
    )
    entries = [entryOf(byNumber)]
    days = 1
    for (const payment of [byNumber, byIban]) {
      expect(await follow(payment)).toMatchObject({ status: 'InProgress' })
    }
    entries = [entryOf(byNumber), entryOf(byIban)]
    days = 2
    await follow(byIban)
    expect(await Promise.all([byNumber, byIban].map(async ({ id }) => (await found(id)).status))).toEqual([
      'Completed',
      'Completed',
    ])
    await sql('update consent_accounts set bban = $1 where bban is null', [debtorBban])
  })
})
