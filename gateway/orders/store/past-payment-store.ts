/** Stores payments of the past with their statuses and approvals, as if they had been ordered: for data sets of the sandbox. */
import { sql } from 'kysely'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Consent } from '../../consents/consent.ts'
import type { Queryable } from '../../platform/database/in-transaction.ts'
import { hashToken, newToken } from '../../platform/ids.ts'

export type PastStatus = {
  readonly id: string
  readonly at: Temporal.Instant
  readonly status: PaymentStatusValue
  readonly reasonText: string | null
  readonly bankStatus: string
}

/** A domestic payment that is final. */
export type PastPayment = {
  readonly id: string
  readonly ordered: DomesticPayment
  readonly amountMinor: number
  readonly debtorBban: string
  readonly creditorBban: string
  readonly bankPaymentId: string
  /** The first is that of its creation, the last one is final. */
  readonly statuses: readonly [PastStatus, ...PastStatus[]]
  /** Null for one that was never signed. */
  readonly approval: {
    readonly id: string
    readonly createdAt: Temporal.Instant
    readonly signedAt: Temporal.Instant
  } | null
}

/** Stores payments of one consent, within a transaction. */
export async function insertPastPayments(
  { query }: Queryable,
  { partnerId, id: consentId, bic, countryCode, organisationNumber }: Consent,
  payments: readonly PastPayment[],
): Promise<void> {
  await sql`
    insert into payments (partner_id, id, type, consent_id, bic, country_code, organisation_number, end_to_end_id,
      amount_minor, currency, debtor_bban, creditor_bban, due_date, ordered, outcome, bank_request_id, bank_payment_id,
      status, status_reason_text, bank_status, signed, signed_at, notification_token_hash, created_at, status_at, changed_at,
      announced_at, final_since)
    select ${partnerId}::uuid, id, 'Domestic', ${consentId}::uuid, ${bic}, ${countryCode}, ${organisationNumber},
      "endToEndId", amount, currency, debtor, creditor, "dueDate", ordered, 'known', id, "bankId", status, "reasonText", "bankStatus",
      "signedAt" is not null, "signedAt", "tokenHash", "createdAt", at, at, at, at
    from jsonb_to_recordset(${JSON.stringify(payments.map(paymentRow))}::jsonb) as p(id uuid, ordered text,
      "endToEndId" text, amount bigint, currency text, debtor text, creditor text, "dueDate" date, "bankId" text, status text, "reasonText" text, "bankStatus" text, "signedAt" timestamptz,
      "tokenHash" text, "createdAt" timestamptz, at timestamptz)`.execute(query)
  const statuses = payments.flatMap(({ id, statuses }) => statuses.map((status) => ({ ...status, paymentId: id })))
  await sql`
    insert into payment_history (partner_id, payment_id, id, at, status, status_reason_text, bank_status)
    select ${partnerId}::uuid, "paymentId", id, at, status, "reasonText", "bankStatus"
    from jsonb_to_recordset(${JSON.stringify(statuses)}::jsonb) as s("paymentId" uuid, id uuid, at timestamptz, status text,
      "reasonText" text, "bankStatus" text)`.execute(query)
  const approvals = payments.flatMap(({ id, bankPaymentId, approval }) =>
    approval === null ? [] : [{ ...approval, paymentId: id, bankId: bankPaymentId }],
  )
  await sql`
    with approved as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(approvals)}::jsonb) as a(id uuid, "createdAt" timestamptz,
        "signedAt" timestamptz, "paymentId" uuid, "bankId" text)),
    stored as (
      insert into approvals (partner_id, id, consent_id, status, created_at, updated_at)
      select ${partnerId}::uuid, id, ${consentId}::uuid, 'ACCEPTED', "createdAt", "signedAt" from approved)
    insert into approval_payments (partner_id, approval_id, payment_id, position, bank_payment_id, order_digest, result)
    select ${partnerId}::uuid, id, "paymentId", 0, "bankId", '', 'ACCEPTED' from approved`.execute(query)
}

function paymentRow({ id, ordered, amountMinor, debtorBban, creditorBban, bankPaymentId, ...payment }: PastPayment) {
  const { statuses, approval } = payment
  const { at, status, reasonText, bankStatus } = statuses.at(-1) ?? statuses[0]
  return {
    id,
    ordered: JSON.stringify(ordered),
    endToEndId: ordered.metadata.endToEndId,
    amount: amountMinor,
    currency: ordered.amount.currency,
    dueDate: ordered.dueDate,
    debtor: debtorBban,
    creditor: creditorBban,
    bankId: bankPaymentId,
    status,
    reasonText,
    bankStatus,
    signedAt: approval?.signedAt ?? null,
    tokenHash: hashToken(newToken()),
    createdAt: statuses[0].at,
    at,
  }
}
