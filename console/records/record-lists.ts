/** Defines the lists of records: their tables, columns, statuses and filters. */
import { type RawBuilder, sql } from 'kysely'
import { ApprovalStatus } from '../../contract/approvals.ts'
import { CancellationRequestStatus } from '../../contract/cancellations.ts'
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { consentTransitions } from '../../gateway/consents/consent.ts'
import { DEAL_STATES } from '../../gateway/fx/store/deal.ts'
import { onboardingTransitions } from '../../gateway/onboarding/store/onboarding.ts'
import type { ConsolePermission } from '../access/console-role.ts'

/** The columns that lists may have; their labels are texts. */
export type RecordColumn =
  | 'bank'
  | 'changed'
  | 'company'
  | 'count'
  | 'created'
  | 'deadline'
  | 'dueDate'
  | 'id'
  | 'name'
  | 'partner'
  | 'payment'
  | 'reason'
  | 'status'
  | 'user'
  | 'validUntil'

/** A row's values by column: texts, numbers, times; null where there is none. */
export type RecordRow = { readonly id: string; readonly created: Temporal.Instant } & Readonly<
  Partial<Record<RecordColumn, string | number | Temporal.Instant | null>>
>

type Columns = readonly (readonly [RecordColumn, RawBuilder<unknown>])[]

/** A list; the last part of its path is its name. */
export type RecordList = {
  readonly name: RecordListName
  readonly permission: ConsolePermission
  readonly table: string
  /** Which rows are records of the list. */
  readonly where: RawBuilder<unknown>
  readonly statusColumn: 'status' | 'state'
  readonly statuses: readonly string[]
  /** Of the row, which is called `t`; the first is when it was created. A list with a company is filtered by it. */
  readonly columns: Columns
  /** What names the company of a record that does not name it itself. */
  readonly companyIn?: { readonly table: 'consents' | 'fx_quotes'; readonly key: 'consent_id' | 'quote_id' }
  /** Whether each record has a page, below that of the list. */
  readonly hasPages?: true
}

export type RecordListName = 'consents' | 'approvals' | 'cancellations' | 'payrolls' | 'onboardings' | 'exchanges'

const column = (name: RecordColumn, source: string): Columns[number] => [name, sql`${sql.ref(`t.${source}`)}`]
const CREATED = column('created', 'created_at')
const COMPANY = column('company', 'organisation_number')
const BANK = column('bank', 'bic')
const IN_CONSENT = { table: 'consents', key: 'consent_id' } as const
const IN_QUOTE = { table: 'fx_quotes', key: 'quote_id' } as const
const companyIn = ({ table, key }: typeof IN_CONSENT | typeof IN_QUOTE): Columns[number] => [
  'company',
  sql`(select c.organisation_number from ${sql.table(table)} c
    where c.partner_id = t.partner_id and c.id = ${sql.ref(`t.${key}`)})`,
]
/** Salaries are seen by those who have the right to them only, also in approvals and cancellations. */
const OF_PAYMENTS = sql`not exists (
  select from approval_payments a join payments p on p.partner_id = a.partner_id and p.id = a.payment_id
  where a.partner_id = approvals.partner_id and a.approval_id = approvals.id and p.payroll_id is not null)`

export const RECORD_LISTS: readonly RecordList[] = [
  {
    name: 'consents',
    permission: 'payments.read',
    hasPages: true,
    table: 'consents',
    where: sql`not agreement`,
    statusColumn: 'status',
    statuses: Object.keys(consentTransitions),
    columns: [
      CREATED,
      BANK,
      COMPANY,
      column('user', 'user_id_masked'),
      column('status', 'status'),
      column('reason', 'status_reason'),
      column('validUntil', 'valid_until'),
    ],
  },
  {
    name: 'approvals',
    permission: 'payments.read',
    hasPages: true,
    table: 'approvals',
    where: OF_PAYMENTS,
    statusColumn: 'status',
    statuses: ApprovalStatus.enum,
    companyIn: IN_CONSENT,
    columns: [
      CREATED,
      companyIn(IN_CONSENT),
      column('changed', 'updated_at'),
      [
        'count',
        sql`(select count(*)::int from approval_payments a where a.partner_id = t.partner_id and a.approval_id = t.id)`,
      ],
      column('status', 'status'),
    ],
  },
  {
    name: 'cancellations',
    permission: 'payments.read',
    hasPages: true,
    table: 'cancellations',
    where: sql`payroll_cancellation_id is null`,
    statusColumn: 'status',
    statuses: ['REQUESTED', ...CancellationRequestStatus.enum],
    companyIn: IN_CONSENT,
    columns: [
      CREATED,
      column('payment', 'payment_id'),
      BANK,
      companyIn(IN_CONSENT),
      column('status', 'status'),
      column('reason', 'reason'),
    ],
  },
  {
    name: 'payrolls',
    permission: 'payroll.read',
    hasPages: true,
    table: 'payrolls',
    where: sql`true`,
    statusColumn: 'status',
    statuses: PaymentStatusValue.enum,
    columns: [
      CREATED,
      BANK,
      COMPANY,
      ['dueDate', sql`t.due_date::text`],
      column('count', 'transaction_count'),
      column('status', 'status'),
      column('reason', 'state_text'),
    ],
  },
  {
    name: 'onboardings',
    permission: 'payments.read',
    hasPages: true,
    table: 'onboardings',
    where: sql`true`,
    statusColumn: 'status',
    statuses: Object.keys(onboardingTransitions),
    columns: [
      CREATED,
      COMPANY,
      column('name', 'organisation_name'),
      column('status', 'status'),
      column('reason', 'status_reason'),
    ],
  },
  {
    name: 'exchanges',
    permission: 'payments.read',
    hasPages: true,
    table: 'fx_deals',
    where: sql`true`,
    statusColumn: 'state',
    statuses: DEAL_STATES,
    companyIn: IN_QUOTE,
    columns: [
      CREATED,
      companyIn(IN_QUOTE),
      column('payment', 'payment_id'),
      column('deadline', 'deadline'),
      column('status', 'state'),
      column('reason', 'reason'),
    ],
  },
]
