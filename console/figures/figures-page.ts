/** Shows what became of payments by day and by bank, and which errors requests got most often on each day. */
import { html } from 'ghtml'
import type { PaymentStatusValue } from '../../contract/payments/payment-status.ts'
import type { Context } from '../../gateway/context.ts'
import { REPORTING_TIME_ZONE } from '../../gateway/countries/bank-days.ts'
import { type DailyCount, listDailyCounts } from '../../gateway/orders/daily-counts/list-daily-counts.ts'
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
import { formatCount, formatPercentage } from '../markup/format-money.ts'
import { formatDay, timeMarkup } from '../markup/format-time.ts'
import { requestScopeOf } from '../requests/request-list.ts'
import { consoleText } from '../texts/console-texts.ts'
import { bankDaysTable, banksTable } from './banks-table.ts'

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
  const days = daysUpTo(context.clock.today(REPORTING_TIME_ZONE))
  const [to, from] = [days[0], days.at(-1)]
  if (to === undefined || from === undefined) {
    return ''
  }
  const { counts, countedTo } = await listDailyCounts(context, partnerId, { from, to })
  const byDay = Map.groupBy(counts, ({ day }) => day)
  const rows = days.map((day) => rowOf(day, byDay.get(day.toString()) ?? [], partnerId))
  const columns: Columns = [
    'figures.day',
    ...OUTCOMES.map(({ name }) => numberColumn(`figures.columns.${name}`)),
    numberColumn('figures.success'),
  ]
  return html`<h2>${consoleText('figures.byDay')}</h2>
<p>${consoleText('figures.explainSuccess')}</p>
<p class="quiet">!${countedTo === null ? consoleText('figures.notCounted') : html`${consoleText('figures.countedTo')} !${timeMarkup(countedTo)}`}</p>
!${dataTable(columns, rows, '')}`
}

/** A day without payments has no figures, which keeps the list short on a phone. */
function rowOf(day: Temporal.PlainDate, counts: readonly DailyCount[], partnerId: string | null): readonly string[] {
  if (counts.length === 0) {
    return [html`${formatDay(day)}`, ...OUTCOMES.map(() => ''), '']
  }
  const countOf = (status: PaymentStatusValue | undefined) =>
    counts.filter((one) => status === undefined || one.status === status).reduce((sum, { count }) => sum + count, 0)
  const cells = OUTCOMES.map(({ status }) => {
    const query = new URLSearchParams({
      from: day.toString(),
      to: day.toString(),
      ...(status === undefined ? {} : { status }),
      ...(partnerId === null ? {} : { [PARTNER_PARAMETER]: partnerId }),
    })
    const count = countOf(status)
    return count === 0 ? '0' : html`<a href="/console/payments?${query}">${formatCount(count)}</a>`
  })
  const settled = countOf('Completed')
  const ended = settled + countOf('Rejected') + countOf('Cancelled')
  return [html`${formatDay(day)}`, ...cells, ended === 0 ? '' : html`${formatPercentage(settled, ended)}`]
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
  const columns: Columns = ['figures.day', numberColumn('figures.count'), 'requests.code']
  const rows = [...Map.groupBy(counts, ({ day }) => day).values()].flatMap((ofDay) =>
    ofDay
      .slice(0, CODES_PER_DAY)
      .map((count, n) => [
        n === 0 ? html`${formatDay(Temporal.PlainDate.from(count.day))}` : '',
        countMarkup(count, partnerId),
        apiCodeMarkup(count.code),
      ]),
  )
  return dataTable(columns, rows, consoleText('figures.noErrors'))
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
