/** Property test: a payment that is signed, cancelled and executed concurrently, in any order, ends in the status of the bank. */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Cancellation } from '../../../contract/cancellations.ts'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import { HavnError } from '../../../sdk/index.ts'
import { randomCases } from '../../../setup/random-cases.ts'
import { nextBankDay } from '../../countries/bank-days.ts'
import { type NordicBank, nordicBank } from '../../testing/banks/nordic-banks.ts'
import { openSandboxBankControl } from '../../testing/banks/sandbox-bank-control.ts'
import { visitBank } from '../../testing/browser/bank-user.ts'
import { eventually } from '../../testing/gateway/eventually.ts'
import { passTime } from '../../testing/gateway/pass-time.ts'
import { startTestGateway, type TestGateway } from '../../testing/gateway/test-gateway.ts'
import { openPaymentDriver, type PaymentDriver } from '../../testing/payments/payment-driver.ts'
import { CALLBACK } from '../../testing/payments/sample-payments.ts'
import { disablePaymentPolling } from '../../testing/payments/settle-payments.ts'

const STEPS = [
  'approve',
  'sign the approval',
  'cancel',
  'sign the cancellation',
  'reject the cancellation',
  'sign in the online bank',
  'cancel in the online bank',
  'settle',
  'look',
  'work',
] as const
type Step = (typeof STEPS)[number]
/** Errors of requests at the wrong moment. */
const TOO_MANY = 429
const EXPECTED_STATUSES = [400, 409, 422, TOO_MANY]
const RUNS = randomCases(50)
const TIMEOUT_MILLISECONDS = 180_000

let gateway: TestGateway
let payer: PaymentDriver
beforeAll(async () => {
  gateway = await startTestGateway()
  payer = openPaymentDriver(gateway)
  await payer.nextMorning()
})
afterAll(() => gateway.close())

type Life = {
  readonly bank: NordicBank
  readonly paymentId: string
  readonly bankPaymentId: string
  approvalLink: string
  cancellationLink: string
  readonly cancellationIds: Set<string>
}

/** Some banks accept no order twice a day that equals another. */
let amount = 2_000

async function born(bank: NordicBank): Promise<Life> {
  const day = gateway.context.clock.today('Europe/Helsinki').add({ days: 5 })
  const dueDate = nextBankDay(['NO', 'SE', 'DK', 'FI'], day).toString()
  amount += 1
  const ordered = { dueDate, amount: { amount: `${amount}.00`, currency: bank.currency } }
  const { paymentId } = await payer.order(bank, ordered)
  const { rows } = await gateway.context.database.pool.query(
    'select bank_payment_id as id from payments where id = $1',
    [paymentId],
  )
  const bankPaymentId: string = rows[0].id
  return { bank, paymentId, bankPaymentId, approvalLink: '', cancellationLink: '', cancellationIds: new Set() }
}

async function atTheBank({ bank, bankPaymentId }: Life): Promise<string> {
  const held: unknown = await (await fetch(`${gateway.bank.pagesUrl}/control/payments?bank=${bank.bic}`)).json()
  const found = Array.isArray(held) ? held.find(({ paymentId }) => paymentId === bankPaymentId) : undefined
  return String(found?.transactionStatus)
}

/** What partners see when a payment is final at the bank. */
const FINAL: Readonly<Record<string, PaymentStatusValue>> = {
  CANC: 'Cancelled',
  RJCT: 'Rejected',
  ACSC: 'Completed',
  ACCC: 'Completed',
}

async function note(life: Life, { id, sca, cancellationRequestStatus }: Cancellation): Promise<void> {
  life.cancellationIds.add(id)
  life.cancellationLink = sca?.type === 'redirect' ? sca.url : life.cancellationLink
  if (cancellationRequestStatus === 'ACCEPTED') {
    expect(await atTheBank(life)).toBe('CANC')
  }
}

async function visit(life: Life, link: string, decision: 'approve' | 'reject'): Promise<void> {
  if (link === '') {
    return
  }
  const back = await visitBank(link, { userId: life.bank.users[0], decision })
  const isCancelled = link === life.cancellationLink && back.searchParams.get('status') === 'success'
  if (isCancelled) {
    expect(await atTheBank(life)).toBe('CANC')
  }
}

async function take(life: Life, step: Step): Promise<void> {
  const { client } = gateway
  const { bank, bankPaymentId, paymentId } = life
  const consent = await payer.consentOf(bank)
  const control = (what: string) =>
    openSandboxBankControl(gateway.bank).postControl(`/payments/${bankPaymentId}/${what}`)
  const taking: Readonly<Record<Step, () => Promise<unknown>>> = {
    approve: async () => {
      const body = { payments: [paymentId], callbackUrl: CALLBACK, preferredScaMethod: 'Redirect' as const }
      const { sca } = await client.approvePayments({ ...consent, body })
      life.approvalLink = sca?.type === 'redirect' ? sca.url : ''
    },
    'sign the approval': () => visit(life, life.approvalLink, 'approve'),
    cancel: async () => {
      const body = { paymentId, callbackUrl: CALLBACK, preferredScaMethod: 'Redirect' } as const
      await note(life, await client.cancelPayment({ ...consent, body }))
    },
    'sign the cancellation': () => visit(life, life.cancellationLink, 'approve'),
    'reject the cancellation': () => visit(life, life.cancellationLink, 'reject'),
    'sign in the online bank': () => control('sign'),
    'cancel in the online bank': () => control('cancel'),
    settle: () => control('settle'),
    look: async () => {
      for (const id of life.cancellationIds) {
        await note(life, await client.getPaymentCancellation({ ...consent, params: { id } }))
      }
    },
    work: () => gateway.sweep(),
  }
  await taking[step]().catch((error: unknown) => {
    const isRejected = error instanceof HavnError && EXPECTED_STATUSES.includes(error.status ?? 0)
    // An expired link, or an action that the bank no longer permits.
    if (!isRejected && !/answered (303|4\d\d)/.test(String(error))) {
      throw error
    }
  })
}

/** A cancellation is polled at most twice a second. */
async function readAgain(life: Life, id: string): Promise<Cancellation> {
  const consent = await payer.consentOf(life.bank)
  return await eventually(() => gateway.client.getPaymentCancellation({ ...consent, params: { id } }))
}

/** Everything that is open ends, and the partner is notified. */
async function requireAgreement(life: Life): Promise<void> {
  await passTime(gateway, 'PT11M')
  const word = await atTheBank(life)
  const cancellations = await Promise.all([...life.cancellationIds].map((id) => readAgain(life, id)))
  const accepted = cancellations.filter(({ cancellationRequestStatus: status }) => status === 'ACCEPTED')
  expect(accepted.length === 0 || word === 'CANC').toBe(true)
  expect(cancellations.map(({ cancellationRequestStatus: status }) => status)).not.toContain('AUTHORIZATION_REQUIRED')
  // The bank's notification may arrive during the poll; then that poll is dropped, and the next one counts.
  await eventually(async () => {
    await gateway.sweep()
    const { status } = await payer.statusOf(life.paymentId)
    expect(status).toBe(FINAL[word] ?? (status === 'Unsigned' ? 'Unsigned' : 'InProgress'))
    for (const { id } of cancellations) {
      const { currentPaymentStatus } = await readAgain(life, id)
      expect(currentPaymentStatus.status).toBe(status)
    }
  })
}

describe.each(['FJORNO22', 'MALBSESS'])('at %s', (bic) => {
  test('a cancellation is ACCEPTED only where the bank reports the payment as cancelled', {
    timeout: TIMEOUT_MILLISECONDS,
  }, async () => {
    const step = fc.constantFrom(...STEPS, 'cancel', 'sign the cancellation')
    const moment = fc.array(step, { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(moment, { minLength: 2, maxLength: 7 }), async (isSigned, moments) => {
        await disablePaymentPolling(gateway)
        const life = await born(nordicBank(bic))
        if (isSigned) {
          await take(life, 'sign in the online bank')
        }
        for (const steps of moments) {
          await Promise.all(steps.map((one) => take(life, one)))
        }
        await requireAgreement(life)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})
