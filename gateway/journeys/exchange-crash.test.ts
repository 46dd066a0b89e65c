/** Simulates crashes at every statement and provider call of a payment with exchange: no deal stays open. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { BankError } from '../banks/connector/bank-error.ts'
import { creditorAccountNumber } from '../banks/connector/bank-order.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import { consentOf } from '../consents/consent-lookup.ts'
import type { Context } from '../context.ts'
import { fxSweeps } from '../fx/jobs.ts'
import { checkLedger } from '../fx/ledger/ledger.ts'
import { sampleQuote } from '../fx/testing/deal-samples.ts'
import { type Fault, SimulatedCrash, scriptedProvider } from '../fx/testing/scripted-provider.ts'
import { applyDealToPayment } from '../orders/exchange/apply-deal-to-payment.ts'
import { exchangeSweep } from '../orders/exchange/decide-exchange-at-deadline.ts'
import { DOMESTIC } from '../orders/exchange/exchange-errors.ts'
import { findPaymentsOf } from '../orders/find-orders.ts'
import { paymentSweeps } from '../orders/jobs.ts'
import { orderOfAcceptedPayment } from '../orders/parse/domestic-payment-parts.ts'
import { parseDomesticPayment } from '../orders/parse/parse-domestic-payment.ts'
import { validationContextAt } from '../orders/parse/validation-context.ts'
import { refreshApprovalScaSessions } from '../orders/sign/open-sca-sessions.ts'
import { settleAsNeverAcknowledged } from '../orders/submit/settle-unknown-outcome.ts'
import { initiateDomesticPayment, submitPayment } from '../payments/initiate-domestic-payment.ts'
import { DatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { ApiError } from '../platform/http/errors/api-error.ts'
import { runSweepsUntilIdle } from '../platform/jobs/sweep-runner.ts'
import { type CrashAfter, crashingDatabase, DatabaseCrash } from '../testing/database/crashing-database.ts'
import { observedDatabase } from '../testing/database/observed-database.ts'
import { eventually } from '../testing/gateway/eventually.ts'
import { startTestGateway, type TestGateway } from '../testing/gateway/test-gateway.ts'
import { acceptedConsent, domesticPayment, KARI, PSU } from '../testing/payments/sample-payments.ts'

/** The last of them stores the bank's response. */
const STATEMENTS_MAX = 14
const TIMEOUT_MILLISECONDS = 240_000
/** After this, leases of crashed processes have expired, and every deadline has passed. */
const LATER = { hours: 1 }

let gateway: TestGateway
let caller: ConsentCaller
beforeAll(async () => {
  gateway = await startTestGateway()
  const { consentId } = await acceptedConsent(gateway, KARI)
  const { rows } = await gateway.context.database.pool.query<{ partnerId: string }>(
    'select partner_id as "partnerId" from consents where id = $1',
    [consentId],
  )
  const partnerId = rows[0]?.partnerId ?? ''
  const consent = (await consentOf(gateway.context, { partnerId, consentId })) ?? expect.fail('There is no consent')
  caller = {
    ...{ partnerId, partnerName: '', callbackOrigins: [], clientId: '', consent, psu: { ...PSU, headers: {} } },
  }
}, TIMEOUT_MILLISECONDS)
afterAll(() => gateway.close())

const deaths: readonly (readonly [string, CrashAfter | null, Fault | null])[] = [
  ...Array.from({ length: STATEMENTS_MAX }, (_, statements) =>
    [true, false].map(
      (answerLost) =>
        [
          `${statements} statements${answerLost ? ', the answer of the last one lost' : ''}`,
          { statements, answerLost },
          null,
        ] as const,
    ),
  ).flat(),
  ['the call to the provider', null, { is: 'death', done: false }],
  ['the provider’s execution', null, { is: 'death', done: true }],
  ['a lost response of the provider', null, { is: 'answer lost' }],
  ['a rejection by the provider', null, { is: 'rejected', kind: 'unavailable' }],
]

test.each(deaths)('after %s nothing is left open', { timeout: TIMEOUT_MILLISECONDS }, async (_name, life, fault) => {
  const { context: whole } = gateway
  const provider = scriptedProvider()
  const database = crashingDatabase(whole.database.pool)
  const context: Context = { ...whole, database, fx: provider }
  const quote = await sampleQuote(context, { partnerId: caller.partnerId })
  const bank = (await whole.banks.find('FJORNO22')) ?? expect.fail('The bank is not there')
  const initiation = { bank, idempotent: null }
  const requested = domesticPayment(gateway, {
    to: { account: { type: 'bban', bban: '86011117947' }, contactInformation: { name: 'Client account' } },
    amount: { amount: '90.00', currency: 'NOK' },
    dueDate: quote.fundingDate.toString(),
    remittanceInformation: { type: 'message', value: quote.referenceCode },
  })
  const validation = validationContextAt(context.clock, initiation.bank, caller.consent)
  const instruction =
    parseDomesticPayment(requested, validation, () => true).instruction ?? expect.fail('The payment is invalid')
  provider.faults = fault === null ? [] : [fault]
  database.live(life)
  const outcome = await initiateDomesticPayment(context, caller, instruction, initiation).catch(
    (error: unknown) => error,
  )
  database.live(null)
  expect(
    [DatabaseCrash, SimulatedCrash, ApiError, BankError, Object].some((kind) => Object(outcome) instanceof kind),
  ).toBe(true)
  const later = { ...context, clock: laterClock(context) }
  await comeToRest(later)
  await sayNeverTaken(later)
  await comeToRest(later)
  await expectNothingOpen(quote.id)
  expect(provider.cancelled).toHaveLength(provider.conversions.size)
  expect(await checkLedger(whole.database)).toEqual([])
})

test.each([
  ['whose warnings cannot be found', false],
  ['whose booking is stored without an answer', true],
])('a payment %s leaves neither payment nor deal, although the database is away then', async (_what, losesAnswer) => {
  const { context: whole } = gateway
  const provider = scriptedProvider()
  let isAnswerLost = losesAnswer
  let refusals = 2
  const database = observedDatabase(whole.database.pool, async (text) => {
    if (isAnswerLost && text.includes(`set exchange = 'unsigned'`)) {
      isAnswerLost = false
      await whole.database.pool.query(text.replace(/where.*/s, `where quote_id = '${quote.id}'`), RECOVER_AT)
      throw AWAY
    }
    if (refusals > 0 && text.includes(`set exchange = 'cancelled'`)) {
      refusals -= 1
      throw AWAY
    }
  })
  const context: Context = { ...whole, database, fx: provider }
  const quote = await sampleQuote(whole, { partnerId: caller.partnerId })
  const bank = (await whole.banks.find('FJORNO22')) ?? expect.fail('The bank is not there')
  const stored = async () =>
    (await whole.database.pool.query('select exchange from payments where quote_id = $1', [quote.id])).rows
  const ordered = domesticPayment(gateway)
  const order = orderOfAcceptedPayment(ordered, 'NO')
  const submitted = submitPayment(
    context,
    caller,
    { bank, idempotent: null },
    {
      ...{
        type: 'Domestic',
        ordered,
        order,
        creditorNumber: creditorAccountNumber(order.creditor.account),
        warnings: [],
      },
      initiate: () => expect.fail('The order was submitted'),
      toApiError: (error) => error,
      exchange: { quote, terms: {}, mapping: DOMESTIC },
      ...(!losesAnswer && {
        findWarnings: async () => {
          await eventually(async () => expect(await stored()).toEqual([{ exchange: 'unsigned' }]))
          throw AWAY
        },
      }),
    },
  )
  await expect(submitted).rejects.toBe(AWAY)
  expect(refusals).toBe(0)
  await comeToRest({ ...context, clock: laterClock(context) })
  await expectNothingOpen(quote.id)
  expect(await stored()).toEqual([])
  expect(provider.cancelled).toHaveLength(1)
})

const AWAY = new DatabaseUnavailable(new Error('Connection terminated unexpectedly'))
/** The parameter of the statement before its condition. */
const RECOVER_AT = ['2020-01-01']

function laterClock({ clock }: Context): Context['clock'] {
  return { ...clock, now: () => clock.now().add(LATER), real: () => clock.real().add(LATER) }
}

async function comeToRest(context: Context): Promise<void> {
  await runSweepsUntilIdle([
    ...paymentSweeps(context),
    exchangeSweep(context, (payment) => refreshApprovalScaSessions(context, payment)),
    ...fxSweeps(context, (deal) => applyDealToPayment(context, deal)).filter(({ time }) => time === 'business'),
  ])
}

/** What the bank may have accepted is for two operators, who look there. */
async function sayNeverTaken(context: Context): Promise<void> {
  const { rows } = await context.database.pool.query<{ id: string }>(
    `select id from payments where partner_id = $1 and outcome = 'unknown'`,
    [caller.partnerId],
  )
  const ids = rows.map(({ id }) => id)
  const unknown = ids.length === 0 ? [] : await findPaymentsOf(context, caller.partnerId, ids)
  for (const payment of unknown) {
    await settleAsNeverAcknowledged(context, payment)
  }
}

/** Nothing is signed. */
async function expectNothingOpen(quoteId: string): Promise<void> {
  const { rows } = await gateway.context.database.pool.query<{ state: string | null; status: string | null }>(
    `select d.state, p.status from (select $1::uuid as id) q
     left join fx_deals d on d.quote_id = q.id left join payments p on p.quote_id = q.id`,
    [quoteId],
  )
  const [{ state, status } = { state: null, status: null }] = rows
  expect([null, 'failed', 'cancelled']).toContain(state)
  expect([null, 'Cancelled', 'Rejected']).toContain(status)
}
