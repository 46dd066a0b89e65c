/** Stores many payments without a bank, for tests of lists. */
import type { TestGateway } from '../gateway/test-gateway.ts'
import { domesticPayment } from '../payments/sample-payments.ts'

/** What the payments have in common; `prefix` is that of their endToEndIds, which are numbered from 1. */
export type StoredPayments = {
  /** The demo partner by default. */
  readonly partnerId?: string
  readonly status?: string
  readonly organisationNumber?: string
  readonly prefix?: string
  readonly outcome?: string
}

/** Payments of November 2026, one a minute, known to the bank. Returns their ids. */
export async function storePayments(
  { context }: Pick<TestGateway, 'context'>,
  count: number,
  changes: StoredPayments = {},
): Promise<readonly string[]> {
  const {
    partnerId,
    status = 'Unsigned',
    organisationNumber = '987654325',
    prefix = 'INV',
    outcome = 'known',
  } = changes
  const { rows } = await context.database.pool.query<{ id: string }>(
    `insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
       amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, status,
       notification_token_hash, created_at, status_at, changed_at)
     select coalesce($1, (select partner_id from clients where client_id = 'demo-partner')), uuidv7(), 'Domestic', r.id,
       'FJORNO22', 'NO', $2, $3 || '-' || n, 125000, 'NOK', '80501100017', '80501200011', '2026-11-21', $4, $7, r.id,
       $5, 'hash', t.at, t.at, t.at
     from generate_series(1, $6::int) n, lateral (select gen_random_uuid() as id where n > 0) r,
       lateral (select '2026-11-01T00:00:00Z'::timestamptz + n * interval '1 minute' as at) t
     returning id`,
    [
      partnerId ?? null,
      organisationNumber,
      prefix,
      JSON.stringify(domesticPayment({ context })),
      status,
      count,
      outcome,
    ],
  )
  return rows.map(({ id }) => id)
}
