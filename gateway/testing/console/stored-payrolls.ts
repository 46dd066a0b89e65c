/** Stores payrolls without a bank, for tests of pages. */
import type { Payroll, PayrollState } from '../../orders/payroll.ts'
import { sealPayrollTerms } from '../../orders/store/payroll-store.ts'
import { newId } from '../../platform/ids.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** A payroll of transactions `SAL-1`, `SAL-2` and so on, of which the first ones are orders that the bank has. */
export type StoredPayroll = {
  readonly partnerId: string
  readonly transactions?: number
  readonly submitted?: number
  readonly submissionMode?: Payroll['submissionMode']
  readonly state?: PayrollState
  readonly stateText?: string
}

/** Returns its id. */
export async function storePayroll(
  { context }: Pick<TestGateway, 'context'>,
  {
    partnerId,
    transactions = 3,
    submitted = transactions,
    submissionMode = 'chain',
    state = submitted === transactions ? 'submitted' : 'submitting',
    stateText,
  }: StoredPayroll,
): Promise<string> {
  const [id, at, { pool }] = [newId(), context.clock.now().toString(), context.database]
  const terms = {
    from: { account: { bban: '80531100011' }, name: 'Nordlys Handel AS' },
    purposeCode: 'SALA' as const,
    total: { minor: 9_000_050n, currency: 'NOK' },
  }
  await pool.query(
    `insert into payrolls (partner_id, id, consent_id, bic, country_code, organisation_number, debtor_bban, currency,
       due_date, submission_mode, transaction_count, terms_sealed, state, state_text, status, created_at, changed_at,
       submission_consent_id)
     values ($1, $2::uuid, $2::uuid, 'HAVBNO22', 'NO', '987654325', '80531100011', 'NOK', '2026-12-01', $3, $4, $5, $6,
       $7, 'Unsigned', $8, $8, $2::uuid)`,
    [
      ...[partnerId, id, submissionMode, transactions],
      ...[sealPayrollTerms(context.seal, { partnerId, id }, terms), state, stateText ?? null, at],
    ],
  )
  await pool.query(
    `with orders as (
       insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
         amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status,
         notification_token_hash, created_at, status_at, changed_at, payroll_id)
       select $1, uuidv7(), 'Payroll', $2, 'HAVBNO22', 'NO', '987654325', 'SAL-' || n, 0, 'NOK', '80531100011',
         'digest ' || n, '2026-12-01', json_build_object('payrollId', $2::uuid::text, 'first', n - 1, 'count', 1, 'as',
           'single', 'from', json_build_object('account', json_build_object('bban', '80531100011'), 'currency', 'NOK')),
         'known', gen_random_uuid(), 'Unsigned', 'hash', $4, $4, $4, $2::uuid
       from generate_series(1, $3::int) n returning id, end_to_end_id)
     insert into payroll_transactions (partner_id, payroll_id, position, end_to_end_id, payment_id)
     select $1, $2::uuid, n - 1, 'SAL-' || n, o.id
     from generate_series(1, $5::int) n left join orders o on o.end_to_end_id = 'SAL-' || n`,
    [partnerId, id, submitted, at, transactions],
  )
  return id
}
