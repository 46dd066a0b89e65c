/** Makes one row of every sweep fail, by the sweep's name: the row after it is processed, and the failing one put back. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forEachRow } from '../../gateway/testing/for-each-row.ts'
import { startGatewayWithFx } from '../../gateway/testing/fx/fx-provider-fixture.ts'
import {
  bankReports,
  deliveries,
  due,
  inboundFunds,
  insertPaymentOfDeal,
  insertPayrollOrder,
  OLD,
  OLD_ID,
  orderTokens,
  PAYMENT,
  type PoisonCase,
  type PoisonStage,
  paymentCounts,
  purged,
  query,
  referenceRates,
} from '../../gateway/testing/jobs/poison-cases.ts'
import { composeSweeps } from './compose-sweeps.ts'

let stage: PoisonStage
beforeAll(async () => {
  const started = await startGatewayWithFx()
  const { context } = started.gateway
  const [partner] = await query<{ id: string }>({ context }, 'select id from partners')
  stage = { ...started, context, partnerId: partner?.id ?? '' }
  await query(stage, 'insert into request_log_sizes values ($1, 1000) on conflict do nothing', [stage.partnerId])
})
afterAll(() => stage.close())

const BIC = 'FJORNO22'
const CONSENT = { bic: BIC, country_code: 'NO', status: 'CANCELLED' }
const DAY = '2020-01-01'

const CASES: Readonly<Record<string, PoisonCase>> = {
  'payment polling': due('payments', 'poll_at', PAYMENT),
  'submission recovery': due('payments', 'recover_at', PAYMENT),
  'expired orders': due('expired_orders', 'poll_at', { bic: BIC }),
  'exchange deadlines': due('payments', 'decide_at', PAYMENT),
  'FX deals': due('fx_deals', 'due_at', { state: 'failed', fixed_side: 'buy' }),
  'FX deal unwinding': due('fx_deals', 'unwind_at', { state: 'failed', fixed_side: 'buy' }),
  'inbound funds': due('fx_inbound_funds', 'due_at', { state: 'used', provider_funds_id: randomUUID }),
  'FX deal notifications': due('fx_deals', 'notify_at', { state: 'failed', fixed_side: 'buy' }, insertPaymentOfDeal),
  'payroll submission': due('payrolls', 'submit_at', { bic: BIC, state: 'submitted', submission_mode: 'chain' }),
  payrolls: due('payrolls', 'next_run_at', { bic: BIC, state: 'submitted', submission_mode: 'chain' }),
  'payroll bulks': due('payroll_bulks', 'next_run_at', { bic: BIC, state: 'submitted' }),
  'payment files': due('payment_files', 'due_at', { bic: BIC, state: 'withdrawn' }, insertPayrollOrder),
  'SCA sessions': due('sca_sessions', 'due_at', {
    bic: BIC,
    consent_id: randomUUID,
    status: 'ended',
    kind: 'approval',
  }),
  'cancellation recovery': due('cancellations', 'recover_at', { bic: BIC }),
  'signing baskets': due('approval_baskets', 'due_at', { bic: BIC, state: 'void' }),
  'onboarding deadlines': due('onboardings', 'due_at', { country_code: 'NO' }),
  'onboarding retention': due('onboardings', 'purge_at', { country_code: 'NO' }),
  'consent expiry': due('consents', 'due_at', CONSENT),
  'consent refresh': due('consents', 'refresh_at', { ...CONSENT, bic: 'NONENO22' }),
  'consent revocation': due('consents', 'revoke_at', CONSENT),
  'consent token release': due('consents', 'token_release_at', CONSENT),
  'failed rows': due('failed_rows', 'review_at', {
    sweep: 'x',
    row_id: randomUUID,
    failures: 3,
    last_failed_at: '2100-01-01T00:00:00Z',
  }),
  'order token retention': orderTokens,
  'unattended read retention': purged('unattended_reads', 'consent_id', () => ({ read_on: DAY })),
  'account entry count retention': purged('account_entry_counts', 'account_id', () => ({ booked_on: DAY })),
  'FX quote retention': purged('fx_quotes', 'id', () => ({
    fixed_side: 'buy',
    purge_at: OLD,
    reference_code: randomUUID(),
  })),
  'webhook retention': purged('webhook_endpoints', 'subscription_id', () => ({ referenced_below_id: `${OLD_ID}0` })),
  'request log retention': purged('request_log', 'id', () => ({})),
  'bank call retention': purged('bank_calls', 'id', () => ({})),
  'idempotency key retention': purged('idempotency', 'key', () => ({ started_at: OLD })),
  'webhook deliveries': deliveries(
    { ready: true },
    'new.attempts_made <> old.attempts_made',
    ({ attemptsMade }) => attemptsMade > 0,
  ),
  'webhook retries': deliveries({ ready: false }, 'new.ready', ({ ready }) => ready),
  'payment counts': paymentCounts,
  'bank reports': bankReports,
  'inbound funds at the provider': inboundFunds,
  'reference rates': referenceRates,
}

test('the row of every sweep that fails is put back, and the row after it is processed', {
  timeout: 120_000,
}, async () => {
  const names = composeSweeps(stage.context).map(({ name }) => name)
  expect(Object.keys(CASES).toSorted()).toEqual([...new Set([...names, 'reference rates'])].toSorted())
  await forEachRow(
    Object.entries(CASES),
    ([name]) => name,
    async ([name, run]) => {
      const { poisoned, healthy, processed } = await run(stage, name)
      expect(processed).toContain(healthy)
      expect(processed).not.toContain(poisoned)
      const failed = await query<{ rowId: string; failures: number }>(
        stage,
        'select row_id as "rowId", failures from failed_rows where sweep = $1',
        [name],
      )
      expect(failed.map(({ failures }) => failures)).toEqual([1])
    },
  )
})
