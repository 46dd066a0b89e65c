/** Shows what became of payments by day and by bank, and which errors requests got most often on each day. */
import { html } from 'ghtml'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { Context } from '../../gateway/context.ts'
import { REPORTING_TIME_ZONE } from '../../gateway/countries/bank-days.ts'
import { type DailyCount, listDailyCounts } from '../../gateway/orders/daily-counts/count-payments.ts'
import { countByBank } from '../../gateway/orders/views/order-figures.ts'
import { COUNTED_ROWS } from '../../gateway/partners/partner-rows.ts'
import type { RequestScope } from '../../gateway/request-log/find-requests.ts'
import { countErrors, type ErrorCount } from '../../gateway/request-log/request-figures.ts'
import { isPermitted } from '../access/console-role.ts'
import { partnerFilterOf } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { PARTNER_PARAMETER, partnerFields } from '../lists/partner-field.ts'
import { type Columns, dataTable, numberColumn } from '../markup/data-table.ts'
import { apiCodeMarkup } from '../markup/explained-codes.ts'
import { formatCount } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { requestScopeOf } from '../requests/request-list.ts'
import { consoleText } from '../texts/console-texts.ts'
import { bankDaysTable, banksTable, successOf, total } from './banks-table.ts'

export const FIGURES_PATH = '/console/figures'
const SHOWN_DAYS = 14

export async function figuresPage(context: Context, { viewer, query }: ConsoleRequest): Promise<ConsoleAnswer> {
  const filters = filterReader(query)
  const partnerId = partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER))
  const fields = await partnerFields(context, viewer)
  const isOperator = isPermitted(viewer.session.roles, 'operations.read')
  const sections = [
    await paymentsSection(context, partnerId),
    ...(isOperator ? [await banksSection(context, partnerId)] : []),
    ...(isPermitted(viewer.session.roles, 'developer.read')
      ? [await errorCountsSection(context, requestScopeOf(viewer, partnerId ?? undefined))]
      : []),
  ]
  const isValid = filters.errors.size === 0
  const body = html`!${fields.length === 0 ? '' : filterForm(FIGURES_PATH, { query, errors: filters.errors }, fields)}
!${isValid ? sections.join('\n') : html`<p class="empty">${consoleText('filters.correct')}</p>`}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('figures.pageTitle'), body }
}

/** The days up to today, the newest first. */
const daysUpTo = (today: Temporal.PlainDate) =>
  Array.from({ length: SHOWN_DAYS }, (_, n) => today.subtract({ days: n }))

/** Each status and the filter of the list of payments; initiated are all. */
const OUTCOMES = [
  { name: 'initiated', status: undefined },
  { name: 'settled', status: 'Completed' },
  { name: 'rejected', status: 'Rejected' },
  { name: 'cancelled', status: 'Cancelled' },
] as const satisfies readonly { readonly name: string; readonly status: PaymentStatusValue | undefined }[]

async function paymentsSection(context: Context, partnerId: string | null): Promise<string> {
  const today = context.clock.today(REPORTING_TIME_ZONE)
  const days = daysUpTo(today)
  const period = { from: today.subtract({ days: SHOWN_DAYS - 1 }), to: today }
  const { counts, countedTo } = await listDailyCounts(context, partnerId, period)
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const ofDays = days.map((day) => ({ day, counts: byDay.get(day.toString()) ?? [] }))
  const columns: Columns<CountsOfDay> = {
    'figures.day': ({ day }) => html`${formatDay(day)}`,
    ...Object.fromEntries(
      OUTCOMES.map(({ name, status }) => [
        `figures.columns.${name}`,
        numberColumn((ofDay: CountsOfDay) => countLink(ofDay, status, partnerId)),
      ]),
    ),
    'figures.success': numberColumn(({ counts }) => successOf((status) => countOf(counts, status))),
  }
  return html`<h2>${consoleText('figures.byDay')}</h2>
<p>${consoleText('figures.explainSuccess')}</p>
<p class="quiet">!${countedTo === null ? consoleText('figures.notCounted') : html`${consoleText('figures.countedTo')} !${timeMarkup(countedTo)}`}</p>
!${dataTable(ofDays, columns, '')}`
}

type CountsOfDay = { readonly day: Temporal.PlainDate; readonly counts: readonly DailyCount[] }

function countOf(counts: readonly DailyCount[], status: PaymentStatusValue | undefined): number {
  return total(counts.filter((one) => status === undefined || one.status === status))
}

/** A day without payments has no figures, which keeps the list short on a phone. */
function countLink(
  { day, counts }: CountsOfDay,
  status: PaymentStatusValue | undefined,
  partnerId: string | null,
): string {
  const count = countOf(counts, status)
  if (count === 0) {
    return counts.length === 0 ? '' : '0'
  }
  const query = new URLSearchParams({
    from: day.toString(),
    to: day.toString(),
    ...(status === undefined ? {} : { status }),
    ...(partnerId === null ? {} : { [PARTNER_PARAMETER]: partnerId }),
  })
  return html`<a href="/console/payments?${query}">${formatCount(count)}</a>`
}

async function banksSection(context: Context, partnerId: string | null): Promise<string> {
  const from = context.clock.today(REPORTING_TIME_ZONE).subtract({ days: SHOWN_DAYS - 1 })
  const counts = await countByBank(context.database, partnerId, from)
  const names = new Map((await context.banks.all()).map(({ bic, name }) => [bic, name]))
  return html`<h2>${consoleText('figures.byBank', { days: SHOWN_DAYS })}</h2>
<p class="quiet">${consoleText('figures.bankLimit', { count: formatCount(COUNTED_ROWS.max) })}</p>
!${banksTable(counts, names)}
<h2>${consoleText('figures.byBankAndDay')}</h2>
!${bankDaysTable(counts, names)}`
}

/** By the days on which the requests came, in wall time, which the sandbox's clock does not move. */
async function errorCountsSection(context: Context, scope: RequestScope): Promise<string> {
  const days = daysUpTo(context.clock.real().toZonedDateTimeISO(REPORTING_TIME_ZONE).toPlainDate())
  const counts = await countErrors(context.database, scope, days)
  return html`<h2>${consoleText('figures.errors')}</h2>
<p>${consoleText('figures.errorsLimit', { count: formatCount(COUNTED_ROWS.max) })}</p>
!${errorCountsTable(counts, scope.partnerId)}`
}

const CODES_PER_DAY = 3
const ERROR_CODE = /^\w+$/

/** Only days with errors. */
function errorCountsTable(counts: readonly ErrorCount[], partnerId: string | null): string {
  const rows = [...Map.groupBy(counts, ({ day }) => day).values()].flatMap((ofDay) =>
    ofDay.slice(0, CODES_PER_DAY).map((count, n) => ({ ...count, isFirst: n === 0 })),
  )
  return dataTable(
    rows,
    {
      'figures.day': ({ day, isFirst }) => (isFirst ? html`${formatDay(Temporal.PlainDate.from(day))}` : ''),
      'figures.count': numberColumn((count) => countMarkup(count, partnerId)),
      'requests.code': ({ code }) => apiCodeMarkup(code),
    },
    consoleText('figures.noErrors'),
  )
}

function countMarkup({ day, code, count }: ErrorCount, partnerId: string | null): string {
  if (!ERROR_CODE.test(code)) {
    return html`${formatCount(count)}`
  }
  const next = Temporal.PlainDate.from(day).add({ days: 1 })
  const query = new URLSearchParams({
    code,
    from: `${day}T00:00`,
    to: `${next}T00:00`,
    ...(partnerId === null ? {} : { [PARTNER_PARAMETER]: partnerId }),
  })
  return html`<a href="/console/requests?${query}">${formatCount(count)}</a>`
}
