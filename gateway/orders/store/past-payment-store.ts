/** Stores payments of the past with their statuses and approvals, as if they had been ordered: for data sets of the sandbox. */
import { sql } from 'kysely'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { PaymentStatusValue } from '../../../contract/payments/payment-status.ts'
import type { Consent } from '../../consents/consent.ts'
import { rowOf } from '../../platform/database/columns.ts'
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
  consent: Consent,
  payments: readonly PastPayment[],
): Promise<void> {
  const { partnerId, id: consentId } = consent
  const rows = payments.map((payment) => rowOf(storedPayment(consent, payment)))
  const columns = sql.raw(Object.keys(rows[0] ?? {}).join(', '))
  await sql`
    insert into payments (${columns})
    select ${columns} from jsonb_populate_recordset(null::payments, ${JSON.stringify(rows)}::jsonb)`.execute(query)
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

function storedPayment(consent: Consent, { ordered, statuses, approval, ...payment }: PastPayment) {
  const { partnerId, id: consentId, bic, countryCode, organisationNumber } = consent
  const { at, status, reasonText, bankStatus } = statuses.at(-1) ?? statuses[0]
  return {
    ...{ ...payment, partnerId, consentId, bic, countryCode, organisationNumber },
    type: 'Domestic',
    endToEndId: ordered.metadata.endToEndId,
    currency: ordered.amount.currency,
    dueDate: ordered.dueDate,
    ordered: JSON.stringify(ordered),
    outcome: 'known',
    bankRequestId: payment.id,
    ...{ status, statusReasonText: reasonText, bankStatus },
    signed: approval !== null,
    signedAt: approval?.signedAt ?? null,
    notificationTokenHash: hashToken(newToken()),
    createdAt: statuses[0].at,
    ...{ statusAt: at, changedAt: at, announcedAt: at, finalSince: at },
  }
}
