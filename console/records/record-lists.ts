/** Defines the lists of records: whose rows they show, and to whom. */
import { ApprovalStatus } from '../../contract/approvals.ts'
import { CancellationRequestStatus } from '../../contract/cancellations.ts'
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { consentTransitions } from '../../gateway/consents/consent.ts'
import { CONSENT_ROWS } from '../../gateway/consents/consent-rows.ts'
import { DEAL_ROWS } from '../../gateway/fx/deals/deal-rows.ts'
import { DEAL_STATES } from '../../gateway/fx/store/deal.ts'
import { ONBOARDING_ROWS } from '../../gateway/onboarding/onboarding-rows.ts'
import { onboardingTransitions } from '../../gateway/onboarding/store/onboarding.ts'
import { APPROVAL_ROWS, CANCELLATION_ROWS, PAYROLL_ROWS } from '../../gateway/orders/views/order-rows.ts'
import type { RecordSource } from '../../gateway/platform/database/record-list.ts'
import type { ConsolePermission } from '../access/console-role.ts'

const SOURCES = {
  consents: CONSENT_ROWS,
  approvals: APPROVAL_ROWS,
  cancellations: CANCELLATION_ROWS,
  payrolls: PAYROLL_ROWS,
  onboardings: ONBOARDING_ROWS,
  exchanges: DEAL_ROWS,
} as const satisfies Readonly<Record<string, RecordSource>>

export type RecordListName = keyof typeof SOURCES

const STATUSES: Readonly<Record<RecordListName, readonly string[]>> = {
  consents: Object.keys(consentTransitions),
  approvals: ApprovalStatus.enum,
  cancellations: ['REQUESTED', ...CancellationRequestStatus.enum],
  payrolls: PaymentStatusValue.enum,
  onboardings: Object.keys(onboardingTransitions),
  exchanges: DEAL_STATES,
}

type ColumnOf<Source> = Source extends { readonly columns: infer Columns } ? keyof Columns : never
/** The columns that lists may have; their labels are texts. */
export type RecordColumn = 'id' | 'partner' | ColumnOf<(typeof SOURCES)[RecordListName]>

/** A row's values by column: texts, numbers, times; null where there is none. */
export type RecordRow = { readonly id: string; readonly created: Temporal.Instant } & Readonly<
  Partial<Record<RecordColumn, string | number | Temporal.Instant | null>>
>

/** A list; the last part of its path, and of those of its records' pages, is its name. */
export type RecordList = {
  readonly name: RecordListName
  readonly permission: ConsolePermission
  readonly source: RecordSource
  readonly statuses: readonly string[]
  /** In their order. A list with a company is filtered by it. */
  readonly columns: readonly RecordColumn[]
}

export const RECORD_LISTS: readonly RecordList[] = (Object.keys(SOURCES) as RecordListName[]).map((name) => ({
  name,
  permission: name === 'payrolls' ? 'payroll.read' : 'payments.read',
  source: SOURCES[name],
  statuses: STATUSES[name],
  columns: ['id', ...(Object.keys(SOURCES[name].columns) as RecordColumn[]), 'partner'],
}))
