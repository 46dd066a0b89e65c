/** Defines the lists of records: whose rows they show, to whom, and how. */
import { html } from 'ghtml'
import { ApprovalStatus } from '../../contract/approvals.ts'
import { CancellationRequestStatus } from '../../contract/cancellations.ts'
import { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import { consentTransitions } from '../../gateway/consents/consent.ts'
import { CONSENT_ROWS } from '../../gateway/consents/consent-rows.ts'
import type { Context } from '../../gateway/context.ts'
import { DEAL_ROWS } from '../../gateway/fx/deals/deal-rows.ts'
import { DEAL_STATES } from '../../gateway/fx/store/deal.ts'
import { ONBOARDING_ROWS } from '../../gateway/onboarding/onboarding-rows.ts'
import { onboardingTransitions } from '../../gateway/onboarding/store/onboarding.ts'
import { APPROVAL_ROWS, CANCELLATION_ROWS, PAYROLL_ROWS } from '../../gateway/orders/views/order-rows.ts'
import type { ListPosition } from '../../gateway/partners/partner-rows.ts'
import { listRecords, type RecordFilter, type RecordSource } from '../../gateway/partners/record-list.ts'
import type { ConsolePermission } from '../access/console-role.ts'
import { anyOf, type FilterField, periodFields } from '../lists/filter-form.ts'
import type { ConsoleList } from '../lists/list-page.ts'
import { pageOf } from '../lists/next-page.ts'
import { chosenPartner } from '../lists/partner-field.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Column, clampedText } from '../markup/data-table.ts'
import { reasonMarkup } from '../markup/explained-codes.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CONSENTS_PATH } from './consent-page.ts'

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

export function recordList(
  { database }: Context,
  { name, source, statuses, columns }: RecordList,
): ConsoleList<RecordRow, Omit<RecordFilter, 'limit'>, ListPosition> {
  const expiring = html`<p><a href="${CONSENTS_PATH}/expiring">${consoleText('records.expiring')}</a></p>`
  return {
    path: `/console/${name}`,
    title: consoleText(`records.titles.${name}`),
    about: name === 'consents' ? expiring : '',
    fields: fieldsOf(statuses, columns),
    filterOf: (filters, viewer) => {
      const { createdFrom, createdBefore } = filters.period()
      return {
        partnerId: chosenPartner(filters, viewer),
        id: filters.id('id'),
        status: filters.choice('status', statuses, consoleText('filters.noStatus')),
        organisationNumber: columns.includes('company') ? filters.organisationNumber('company') : undefined,
        createdFrom,
        createdBefore,
        after: filters.position(),
      }
    },
    read: async (filter, limit) => {
      const found = await listRecords<RecordRow>(database, source, { ...filter, limit: limit + 1 })
      const { rows, last } = pageOf(found, limit)
      return { rows, next: last && { createdAt: last.created, id: last.id } }
    },
    columns: Object.fromEntries(
      columns.map((column): [string, Column<RecordRow>] => [
        `records.columns.${column}`,
        {
          cell: (row) => cellOf(name, column, row),
          ...(column === 'status' ? { isLead: true } : {}),
          ...(column === 'partner' ? { isOf: 'operators' } : {}),
        },
      ]),
    ),
    none: consoleText(`records.none.${name}`),
    noMatch: consoleText('records.noMatch'),
    file: {
      name,
      cells: Object.fromEntries(columns.map((column) => [column, (row: RecordRow) => textOf(row[column])])),
    },
  }
}

function fieldsOf(statuses: readonly string[], columns: readonly RecordColumn[]): readonly FilterField[] {
  return [
    { name: 'id', label: consoleText('records.columns.id') },
    { name: 'status', label: consoleText('records.columns.status'), choices: anyOf(statuses) },
    ...(columns.includes('company') ? [{ name: 'company', label: consoleText('records.columns.company') }] : []),
    ...periodFields(),
  ]
}

function cellOf(list: RecordListName, name: RecordColumn, row: RecordRow): string {
  const value = row[name]
  if (value instanceof Temporal.Instant) {
    return timeMarkup(value)
  }
  const text = textOf(value)
  if (text === '') {
    return ''
  }
  switch (name) {
    case 'id':
      return idMarkup(text, `/console/${list}/${text}`)
    case 'payment':
      return idMarkup(text, `/console/payments/${text}`)
    case 'status':
      return statusMarkup(text)
    case 'reason':
      return reasonMarkup(text, clampedText(text))
    case 'dueDate':
      return html`${formatDay(Temporal.PlainDate.from(text))}`
    default:
      return html`${text}`
  }
}

function textOf(value: RecordRow[RecordColumn]): string {
  return value instanceof Temporal.Instant ? value.toString({ smallestUnit: 'millisecond' }) : String(value ?? '')
}
