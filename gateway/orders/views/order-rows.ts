/** Describes payments, payrolls, approvals and cancellations to operators: their lists, and what they are found by. */
import { type RawBuilder, sql } from 'kysely'
import { BANKS } from '../../banks/bank-rows.ts'
import { COMPANY_OF_CONSENT } from '../../consents/consent-rows.ts'
import type { PartnerRows } from '../../partners/partner-rows.ts'
import { companyOfRecord, type RecordSource } from '../../partners/record-list.ts'

/** An order of a payroll is no payment of the API. */
export const PAYMENT_ROWS: PartnerRows = {
  table: 'payments',
  noun: 'payment',
  where: sql`payroll_id is null`,
  label: sql`end_to_end_id`,
}

export const PAYROLL_ROWS = {
  table: 'payrolls',
  noun: 'payroll',
  statusColumn: 'status',
  columns: {
    created: 'created_at',
    bank: 'bic',
    company: 'organisation_number',
    dueDate: sql`t.due_date::text`,
    count: 'transaction_count',
    status: 'status',
    reason: 'state_text',
  },
} as const satisfies RecordSource

/** Salaries are seen by those who have the right to them only, also in approvals and cancellations. */
export const APPROVAL_ROWS = {
  table: 'approvals',
  noun: 'approval',
  where: sql`not exists (
    select from approval_payments a join payments p on p.partner_id = a.partner_id and p.id = a.payment_id
    where a.partner_id = approvals.partner_id and a.approval_id = approvals.id and p.payroll_id is not null)`,
  statusColumn: 'status',
  company: COMPANY_OF_CONSENT,
  columns: {
    created: 'created_at',
    company: companyOfRecord(COMPANY_OF_CONSENT),
    changed: 'updated_at',
    count: sql`(
      select count(*)::int from approval_payments a where a.partner_id = t.partner_id and a.approval_id = t.id)`,
    status: 'status',
  },
} as const satisfies RecordSource

export const CANCELLATION_ROWS = {
  table: 'cancellations',
  noun: 'cancellation',
  where: sql`payroll_cancellation_id is null`,
  statusColumn: 'status',
  company: COMPANY_OF_CONSENT,
  columns: {
    created: 'created_at',
    payment: 'payment_id',
    bank: 'bic',
    company: companyOfRecord(COMPANY_OF_CONSENT),
    status: 'status',
    reason: 'reason',
  },
} as const satisfies RecordSource

/** The index on endToEndIds stores the partner's id as text (decision 0085). */
export const hasEndToEndIdOfPartner = (endToEndId: string) =>
  sql<boolean>`end_to_end_id = ${endToEndId} and partner_id::text = o.id::text`

/** The orders `p` of the partner `o` with an id that their bank has given them. */
const withBankId = (text: string) => sql`
  from ${BANKS} join payments p on p.partner_id = o.id and p.bic = b.bic and p.bank_payment_id = ${text}`

/** The payments of the partner `o` with an id of the partner or of the bank, as ids with their endToEndIds. */
export function paymentReferences(text: string, limit: number): RawBuilder<unknown> {
  return sql`
    (select id, end_to_end_id as label from payments
      where ${hasEndToEndIdOfPartner(text)} and payroll_id is null order by created_at desc limit ${limit})
    union all
    (select p.id, p.end_to_end_id ${withBankId(text)} and p.payroll_id is null limit ${limit})`
}

/** The payrolls of the partner `o` that have a transaction with an id of the partner, or an order with one of the bank. */
export function payrollReferences(text: string, limit: number): RawBuilder<unknown> {
  return sql`
    select distinct payroll_id as id, '' as label from (
      select payroll_id from payroll_transactions
      where partner_id = o.id and end_to_end_id = ${text} limit ${limit}) t
    union
    select p.payroll_id, '' ${withBankId(text)} and p.payroll_id is not null`
}
