/** Shows that in all races with the deadline no signed deal fails, no unsigned one stays, and each is decided once. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BankError } from '../banks/connector/bank-error.ts'
import { consentActorOf } from '../consents/consent.ts'
import { unwindDeal } from '../fx/deals/change-deal.ts'
import { findDeal } from '../fx/deals/get-deal.ts'
import { checkLedger } from '../fx/ledger/ledger.ts'
import { SimulatedCrash } from '../fx/testing/scripted-provider.ts'
import { applyDealToPayment } from '../orders/exchange/apply-deal-to-payment.ts'
import { decideExchangeAtDeadline } from '../orders/exchange/decide-exchange-at-deadline.ts'
import { findPaymentOf } from '../orders/find-orders.ts'
import { pollPayment } from '../orders/status/poll-payment.ts'
import { cancelPayment } from '../payments/cancel-payment.ts'
import { ApiError, InvalidRequestError } from '../platform/http/errors/api-error.ts'
import { DatabaseCrash } from '../testing/database/crashing-database.ts'
import {
  DEADLINE,
  type ExchangeScenario,
  type ExchangeScenarios,
  openExchangeScenarios,
} from '../testing/fx/exchange-interleaving-fixture.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { CALLBACK } from '../testing/payments/sample-payments.ts'

/** Ten thousand are run by `HAVN_DEADLINE_RACES=10000`, which takes a quarter of an hour on two cores. */
const RACES = Number(process.env['HAVN_DEADLINE_RACES'] ?? 8)
const SIDE_BY_SIDE = 8
const MILLISECONDS_MAX = RACES * 1_500 + 120_000
/** A process that found an open outcome polls again by then. */
const LOOKS_MAX = 40

type Act =
  | { readonly do: 'begin signing' | 'sign' | 'read' | 'decide' | 'cancel' | 'unwind' }
  | { readonly do: 'pass'; readonly seconds: number }
  | { readonly do: 'bank'; readonly is: 'silent' | 'there' | 'losing' }
/** Concurrent events, and after how many statements our process crashes. */
type Step = {
  readonly acts: readonly Act[]
  readonly death: { readonly statements: number; readonly answerLost: boolean } | null
}

const act = (word: Exclude<Act['do'], 'pass' | 'bank'>) => fc.constant<Act>({ do: word })
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: act('begin signing') },
  { weight: 6, arbitrary: act('sign') },
  { weight: 8, arbitrary: act('decide') },
  { weight: 3, arbitrary: act('read') },
  { weight: 1, arbitrary: act('cancel') },
  { weight: 1, arbitrary: act('unwind') },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 59, 60, 61, 119, 120) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('bank' as const),
      is: fc.constantFrom('silent' as const, 'there' as const, 'there' as const, 'losing' as const),
    }),
  },
)
const deaths = fc.option(fc.record({ statements: fc.nat({ max: 12 }), answerLost: fc.boolean() }), {
  freq: 3,
  nil: null,
})
const steps: fc.Arbitrary<Step> = fc.record({ acts: fc.array(acts, { minLength: 1, maxLength: 3 }), death: deaths })
const races = fc.record({
  signers: fc.constantFrom(1 as const, 1 as const, 2 as const),
  steps: fc.array(steps, { minLength: 3, maxLength: 12 }),
})
type Race = typeof races extends fc.Arbitrary<infer One> ? One : never

let gateway: TestGateway
let fixtures: ExchangeScenarios
beforeAll(async () => {
  gateway = await startTestGateway()
  fixtures = await openExchangeScenarios(gateway)
})
afterAll(() => gateway.close())

async function race(life: Race): Promise<void> {
  const fixture = await fixtures.open(life)
  for (const step of life.steps) {
    await takeTogether(fixture, step)
    await checkNothingSignedIsBroken(fixture)
  }
  await comeToRest(fixture)
  await checkDecided(fixture)
}

async function takeTogether(fixture: ExchangeScenario, { acts: together, death }: Step): Promise<void> {
  const { context } = fixture
  context.database.live(death)
  // No time passes while several are in flight.
  const taken = together.filter(({ do: what }) => what !== 'pass' || together.length === 1)
  const outcomes = await Promise.allSettled(taken.map((one) => take(fixture, one)))
  context.database.live(null)
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected' && !isExpected(outcome.reason)) {
      throw outcome.reason
    }
  }
}

const EXPECTED = [DatabaseCrash, SimulatedCrash, BankError, ApiError, InvalidRequestError]

function isExpected(error: unknown): boolean {
  return EXPECTED.some((kind) => error instanceof kind)
}

async function take(fixture: ExchangeScenario, what: Act): Promise<void> {
  const { context, bank } = fixture
  switch (what.do) {
    case 'begin signing':
      return await beginSigning(fixture)
    case 'sign': {
      for (const one of bank.all().filter(({ truth }) => truth === 'open')) {
        bank.decide(one, 'signed')
      }
      return
    }
    case 'read':
      return void (await pollPayment(context, await paymentOf(fixture)))
    case 'decide':
      return await decide(fixture)
    case 'cancel':
      return void (await cancelPayment(context, consentActorOf(fixtures.caller), {
        paymentId: fixture.paymentId,
        callbackUrl: CALLBACK,
      }))
    case 'unwind':
      return await unwind(fixture)
    case 'pass':
      return fixture.pass(what.seconds)
    case 'bank':
      return void Object.assign(bank, { silent: false, losing: false }, what.is === 'there' ? {} : { [what.is]: true })
  }
}

/** In the bank's own online bank, without a notification: each user who still has to sign. */
async function beginSigning({ bank, bankPaymentId, context }: ExchangeScenario): Promise<void> {
  const product = bank.connector.domesticPayments ?? expect.fail('The bank takes no payments')
  const row = (await context.banks.find('FJORNO22')) ?? expect.fail('The bank is not there')
  const nobody = { organisationNumber: '', bankConsentId: null, psu: null, accessToken: null }
  const placed = { bankPaymentId, rail: 'account', debtorBban: '', creditorBban: '' } as const
  const requested = { preferred: null, back: { success: '', failure: '', notification: '' } } as const
  const userId = bank.isPartlySigned(bankPaymentId) ? 'second' : 'first'
  await product.authorisations.start({ bank: row, userId, ...nobody }, placed, requested)
}

async function paymentOf({ context, paymentId }: ExchangeScenario) {
  return await findPaymentOf(context, fixtures.caller.partnerId, paymentId)
}

/** Like the sweep, which claims what is due. */
async function decide(fixture: ExchangeScenario): Promise<void> {
  const payment = await paymentOf(fixture)
  const { decideAt } = payment
  if (decideAt !== null && Temporal.Instant.compare(decideAt, fixture.context.clock.now()) <= 0) {
    await decideExchangeAtDeadline(fixture.context, payment, async () => true)
  }
}

async function dealOf({ context, paymentId }: ExchangeScenario) {
  const key = { partnerId: fixtures.caller.partnerId, paymentId }
  return (await findDeal(context.database, key)) ?? expect.fail('There is no deal')
}

async function unwind(fixture: ExchangeScenario): Promise<void> {
  const deal = await dealOf(fixture)
  if (deal.state === 'cancelling') {
    await unwindDeal(fixture.context, deal)
  }
  await applyDealToPayment(fixture.context, await dealOf(fixture))
}

/** A signed order can be cancelled with another signature of its user. */
function isToBePaid({ bank, bankPaymentId }: ExchangeScenario): boolean {
  return bank.isSigned(bankPaymentId) && !bank.isWithdrawn(bankPaymentId)
}

async function checkNothingSignedIsBroken(fixture: ExchangeScenario): Promise<void> {
  if (isToBePaid(fixture)) {
    expect(['booked', 'confirmed']).toContain((await dealOf(fixture)).state)
    expect((await paymentOf(fixture)).status).not.toBe('Cancelled')
  }
}

async function comeToRest(fixture: ExchangeScenario): Promise<void> {
  Object.assign(fixture.bank, { silent: false, losing: false })
  fixture.pass(DEADLINE.seconds)
  await decideAll(fixture)
  // A signed order is polled further, and may have been cancelled since.
  await pollPayment(fixture.context, await paymentOf(fixture))
  await decideAll(fixture)
  await unwind(fixture)
  await unwind(fixture)
}

async function decideAll(fixture: ExchangeScenario): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const { decideAt } = await paymentOf(fixture)
    if (decideAt === null) {
      break
    }
    fixture.pass(Math.max(0, Math.ceil(decideAt.since(fixture.context.clock.now()).total('seconds'))))
    await decide(fixture)
  }
}

/** The bank has the correct state. */
async function checkDecided(fixture: ExchangeScenario): Promise<void> {
  const { bank, bankPaymentId, provider, paymentId } = fixture
  const isSigned = isToBePaid(fixture)
  const [payment, deal] = [await paymentOf(fixture), await dealOf(fixture)]
  expect(payment.decideAt).toBeNull()
  expect(bank.isWithdrawn(bankPaymentId)).toBe(!isSigned)
  expect([payment.status, payment.exchange, deal.state]).toEqual(
    isSigned ? ['InProgress', 'confirmed', 'confirmed'] : ['Cancelled', 'cancelled', 'cancelled'],
  )
  expect(provider.cancelled).toHaveLength(isSigned ? 0 : 1)
  const reported = await gateway.context.database.pool.query(
    `select status from payment_history where payment_id = $1 and status in ('Cancelled', 'Completed')`,
    [paymentId],
  )
  expect(reported.rows).toHaveLength(isSigned ? 0 : 1)
}

test(
  `of ${RACES} races between signatures and deadlines, none cancels a signed deal or keeps an unsigned one`,
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(races, { minLength: SIDE_BY_SIDE, maxLength: SIDE_BY_SIDE }), async (some) => {
        await Promise.all(some.map(race))
      }),
      { numRuns: Math.ceil(RACES / SIDE_BY_SIDE), endOnFailure: true },
    )
    expect(await checkLedger(gateway.context.database)).toEqual([])
  },
  MILLISECONDS_MAX,
)
