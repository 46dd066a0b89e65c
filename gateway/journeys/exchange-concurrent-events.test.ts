/** Shows the outcome of payments with exchange when funds, a signature or another worker interferes with a decision. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BankError } from '../banks/connector/bank-error.ts'
import type { StatusObservation } from '../banks/connector/bank-order.ts'
import type { DomesticPaymentProduct } from '../banks/connector/connector.ts'
import { consentActorOf } from '../consents/consent.ts'
import { confirmDeal } from '../fx/deals/change-deal.ts'
import { findDeal } from '../fx/deals/get-deal.ts'
import { recordInboundFunds } from '../fx/funding/record-inbound-funds.ts'
import type { DealState } from '../fx/store/deal.ts'
import { applyDealToPayment } from '../orders/exchange/apply-deal-to-payment.ts'
import { decideExchangeAtDeadline, exchangeSweep } from '../orders/exchange/decide-exchange-at-deadline.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { paymentSweeps } from '../orders/jobs.ts'
import { isFinal } from '../orders/payment.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { recordExchangeBooked } from '../orders/store/exchange-store.ts'
import { settleAsNeverAcknowledged } from '../orders/submit/settle-unknown-outcome.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { interleavingDatabase } from '../testing/database/interleaving-database.ts'
import {
  DEADLINE,
  type ExchangeScenario,
  type ExchangeScenarios,
  openExchangeScenarios,
} from '../testing/fx/exchange-interleaving-fixture.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'

let gateway: TestGateway
let fixtures: ExchangeScenarios
beforeAll(async () => {
  gateway = await startTestGateway()
  fixtures = await openExchangeScenarios(gateway)
})
afterAll(() => gateway.close())

const UNSIGNED: StatusObservation = {
  status: 'Unsigned',
  statusReason: null,
  statusReasonText: null,
  bankStatus: 'RCVD',
}
const PARTLY_SIGNED: StatusObservation = {
  ...{ status: 'CustomerActionRequired', statusReason: 'PartlySigned', statusReasonText: null, bankStatus: 'PATC' },
}
const IN_PROGRESS: StatusObservation = { ...UNSIGNED, status: 'InProgress', bankStatus: 'ACSP' }

const open = () => fixtures.open({ signers: 1 })
const paymentOf = ({ paymentId }: ExchangeScenario) =>
  findPaymentOf(gateway.context, fixtures.caller.partnerId, paymentId)
const decide = async (fixture: ExchangeScenario) =>
  decideExchangeAtDeadline(fixture.context, await paymentOf(fixture), async () => true)

async function dealOf({ paymentId }: ExchangeScenario) {
  const deal = await findDeal(gateway.context.database, { partnerId: fixtures.caller.partnerId, paymentId })
  return deal ?? expect.fail('There is no deal')
}

async function change({ paymentId }: ExchangeScenario, set: string): Promise<void> {
  await gateway.context.database.pool.query(`update payments set ${set} where id = $1`, [paymentId])
}

/** The same fixture, with a bank that responds differently. */
function atBankThat(
  fixture: ExchangeScenario,
  otherwise: (product: DomesticPaymentProduct) => Partial<DomesticPaymentProduct>,
) {
  const { context } = fixture
  const connectorOf: typeof context.banks.connectorOf = (row) => {
    const connector = context.banks.connectorOf(row)
    const domesticPayments = connector.domesticPayments ?? expect.fail('The bank takes no payments')
    return { ...connector, domesticPayments: { ...domesticPayments, ...otherwise(domesticPayments) } }
  }
  return { ...fixture, context: { ...context, banks: { ...context.banks, connectorOf } } }
}

async function tasksOf({ paymentId }: ExchangeScenario): Promise<readonly string[]> {
  const { rows } = await gateway.context.database.pool.query<{ kind: string }>(
    'select kind from operator_tasks where subject_id = $1',
    [paymentId],
  )
  return rows.map(({ kind }) => kind)
}

describe('funds that arrive in full while their payment is being cancelled', () => {
  it('have the payment continue, whatever the deadline decided', async () => {
    const fixture = await open()
    const { context, provider } = fixture
    const { referenceCode: reference } = await dealOf(fixture)
    const id = provider.arrive({
      amount: { minor: 9000n, currency: 'NOK' },
      reference,
      receivedAt: context.clock.now(),
    })
    await recordInboundFunds(context, provider.name, await provider.readInboundFunds(id))
    fixture.pass(DEADLINE.seconds)
    await decide(fixture)
    expect(await paymentOf(fixture)).toMatchObject({ exchange: 'funded', status: 'InProgress', signed: true })
    expect(await tasksOf(fixture)).toContain('UnexpectedStatus')
  })

  it.each<[DealState, string, string]>([
    ['paid', 'paid', 'Completed'],
    ['refunded', 'returned', 'Rejected'],
  ])('are reported for a deal that is %s by then, too', async (state, exchange, status) => {
    for (const before of ['unsigned', 'cancelled', 'rejected', 'uncancellable']) {
      const fixture = await open()
      await change(fixture, `exchange = '${before}'`)
      await applyDealToPayment(fixture.context, { ...(await dealOf(fixture)), state })
      expect(await paymentOf(fixture)).toMatchObject({ exchange, status })
    }
  })
})

it('cancel a deal that another worker has confirmed since the bank cancelled its order', async () => {
  const fixture = await open()
  const { context } = fixture
  await change(fixture, `exchange = 'cancelled', status = 'Cancelled', decide_at = created_at`)
  const stand = async () => confirmDeal(context, await dealOf(fixture), context.clock.now())
  const database = interleavingDatabase(gateway.context.database.pool, /update "?fx_deals/, stand)
  await decideExchangeAtDeadline({ ...context, database }, await paymentOf(fixture), async () => true)
  expect((await dealOf(fixture)).state).toBe('cancelling')
})

it('do not affect an order that was submitted to its bank while recovery was about to close it', async () => {
  const fixture = await open()
  const { context } = fixture
  const past = `now() - interval '1 hour'`
  await change(fixture, `exchange = 'booking', outcome = 'in-flight', decide_at = null, recover_at = ${past}`)
  const key = { partnerId: fixtures.caller.partnerId, id: fixture.paymentId }
  const handOver = () =>
    recordExchangeBooked(context.database, key, { recoverAt: context.clock.real().add({ hours: 1 }) })
  const database = interleavingDatabase(
    gateway.context.database.pool,
    /update payments set exchange = 'cancelled'/,
    handOver,
  )
  const recovery = paymentSweeps({ ...context, database }).find(({ name }) => name === 'submission recovery')
  expect(await recovery?.run(10)).toBe(1)
  expect(await paymentOf(fixture)).toMatchObject({ exchange: 'unsigned', outcome: 'in-flight' })
  expect((await dealOf(fixture)).state).toBe('booked')
})

it('are processed by one worker, although another polls while the first cancels the order', async () => {
  const calm = await open()
  let withdrawals = 0
  const fixture = atBankThat(calm, ({ cancellation }) => ({
    cancellation: {
      ...cancellation,
      cancel: async (caller, order, requestId) => {
        const isOurs = order.bankPaymentId === calm.bankPaymentId
        withdrawals += isOurs ? 1 : 0
        await (isOurs && withdrawals === 1 && exchangeSweep(fixture.context, async () => true).run(10))
        return await cancellation.cancel(caller, order, requestId)
      },
    },
  }))
  fixture.pass(DEADLINE.seconds)
  await exchangeSweep(fixture.context, async () => true).run(10)
  expect(withdrawals).toBe(1)
  expect(await paymentOf(fixture)).toMatchObject({ exchange: 'cancelled' })
})

describe('an order that its bank does not cancel', () => {
  async function rejected(after: StatusObservation) {
    let shown = UNSIGNED
    const fixture = atBankThat(await open(), ({ cancellation }) => ({
      read: async () => shown,
      cancellation: {
        ...cancellation,
        cancel: async () => {
          throw new BankError('cancellation-rejected', 'It is signed')
        },
      },
    }))
    fixture.pass(DEADLINE.seconds)
    await decide(fixture)
    const { exchange, decideAt } = await paymentOf(fixture)
    expect(exchange).toBe('unsigned')
    expect(decideAt?.since(fixture.context.clock.now()).total('seconds')).toBe(30)
    shown = after
    fixture.pass(30)
    await decide(fixture)
    return await paymentOf(fixture)
  }

  it('is confirmed when the signature is reported within half a minute', async () => {
    expect(await rejected(IN_PROGRESS)).toMatchObject({ exchange: 'confirmed' })
  })

  it('stays at the bank when no signature is reported by then', async () => {
    expect(await rejected(UNSIGNED)).toMatchObject({ exchange: 'uncancellable', status: 'Cancelled' })
  })
})

describe('an order of an unknown outcome whose deal has ended', () => {
  /** The FX provider has cancelled the deal, and that is applied. */
  async function withoutDeal(): Promise<ExchangeScenario> {
    const fixture = await open()
    await change(fixture, `outcome = 'unknown', bank_payment_id = null, end_to_end_id = id::text`)
    await applyDealToPayment(fixture.context, { ...(await dealOf(fixture)), state: 'cancelled' })
    await decide(fixture)
    expect(await paymentOf(fixture)).toMatchObject({ exchange: 'uncancellable', status: 'Cancelled' })
    return fixture
  }

  it('is cancelled at its bank as soon as it is known there', async () => {
    const fixture = await withoutDeal()
    await change(fixture, `outcome = 'known', bank_payment_id = '${fixture.bankPaymentId}'`)
    fixture.pass(300)
    await exchangeSweep(fixture.context, async () => true).run(10)
    expect(await paymentOf(fixture)).toMatchObject({ exchange: 'cancelled', cancellationAcceptedAt: expect.anything() })
  })

  it('can be recorded as never accepted, and is final then', async () => {
    const fixture = await withoutDeal()
    await settleAsNeverAcknowledged(fixture.context, await paymentOf(fixture))
    const payment = await paymentOf(fixture)
    expect(payment).toMatchObject({ exchange: 'cancelled', status: 'Cancelled', outcome: 'void' })
    expect(isFinal(payment)).toBe(true)
  })
})

describe('a signature that the bank revokes', () => {
  it('raises an operator task, and blocks cancelling a confirmed exchange', async () => {
    const fixture = atBankThat(await open(), () => ({ read: async () => PARTLY_SIGNED }))
    await change(fixture, `exchange = 'confirmed', signed = true, status = 'InProgress'`)
    await pollPayment(fixture.context, await paymentOf(fixture))
    expect(await paymentOf(fixture)).toMatchObject({ exchange: 'confirmed', signed: false })
    expect(await tasksOf(fixture)).toContain('UnexpectedStatus')
    const requested = { paymentId: fixture.paymentId, callbackUrl: CALLBACK }
    expect(await cancelPayment(fixture.context, consentActorOf(fixtures.caller), requested)).toMatchObject({
      cancellationRequestStatus: 'REJECTED',
      reason: expect.stringContaining('exchange is binding'),
    })
  })
})
