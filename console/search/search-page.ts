/** Searches everything by what was entered in the header of any page: one hit is opened, several are listed by kind. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { SCANNED_MAX } from '../../gateway/orders/views/payment-search.ts'
import { isPermitted } from '../access/console-role.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { SEARCH_PARAMETER } from '../layout/layout.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable, numberColumn } from '../markup/data-table.ts'
import { formatCount, orderedAmount } from '../markup/format-money.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { bankCallAnchor } from '../payments/bank-call-timeline.ts'
import { parseSearchTerms, type SearchTerms } from '../payments/search-terms.ts'
import { consoleText } from '../texts/console-texts.ts'
import type { HitKind, IdHit } from './find-by-id.ts'
import { findMatches, type Matches, type PaymentMatches, searchesOf } from './find-matches.ts'

/** Where the pages of each kind are. */
const PATHS: Readonly<Record<HitKind, string>> = {
  payments: '/console/payments',
  references: '/console/payments',
  bankCalls: '/console/payments',
  payrolls: '/console/payrolls',
  payrollReferences: '/console/payrolls',
  consents: '/console/consents',
  approvals: '/console/approvals',
  cancellations: '/console/cancellations',
  exchanges: '/console/exchanges',
  onboardings: '/console/onboardings',
  requests: '/console/requests',
  events: '/console/webhooks/events',
  deliveries: '/console/webhooks',
  subscriptions: '/console/webhooks',
  tasks: '/console/tasks',
}

export async function searchPage(context: Context, { viewer, query }: ConsoleRequest): Promise<ConsoleAnswer> {
  const entered = query.get(SEARCH_PARAMETER) ?? ''
  const terms = parseSearchTerms(entered)
  if (terms === undefined) {
    const text = consoleText(entered.trim() === '' ? 'search.empty' : 'filters.notReadable')
    const body = html`<p class="empty">${text}</p>!${scopeOf(viewer)}`
    return {
      kind: 'page',
      status: entered.trim() === '' ? 200 : 422,
      title: consoleText('search.title'),
      body,
      searched: entered,
    }
  }
  const matches = await findMatches(context, viewer, terms)
  const only = onlyPath(matches)
  if (only !== undefined) {
    return { kind: 'redirect', to: only }
  }
  const isOperator = viewer.session.partnerId === null
  const sections = [...idSections(matches.ids, isOperator), ...matches.payments.flatMap(paymentSection)]
  const body = html`!${sections.length === 0 ? html`<p class="empty">${consoleText('search.none', { text: terms.text })}</p>` : sections.join('\n')}
!${howSearched(terms, matches, viewer)}`
  return { kind: 'page', title: consoleText('search.titleOf', { text: terms.text }), body, searched: terms.text }
}

function pathOf({ kind, id, parent }: IdHit): string {
  const path = `${PATHS[kind]}/${id}`
  switch (kind) {
    case 'deliveries':
      return `${PATHS.deliveries}/${parent}/deliveries/${id}`
    case 'bankCalls':
      return `${path}#${bankCallAnchor(parent ?? '')}`
    default:
      return path
  }
}

/** Not where there may be more: the search of a group has ended at its limit. */
function onlyPath({ ids, payments }: Matches): string | undefined {
  const rows = payments.flatMap((group) => group.rows)
  const paths = new Set([...ids.map(pathOf), ...rows.map(({ id }) => `${PATHS.payments}/${id}`)])
  const isComplete = payments.every(({ next }) => next === undefined)
  return paths.size === 1 && isComplete ? [...paths][0] : undefined
}

function idSections(ids: readonly IdHit[], isOperator: boolean): readonly string[] {
  return [...Map.groupBy(ids, ({ kind }) => kind)].map(([kind, hits]) => {
    const columns: Columns<IdHit> = {
      'search.columns.id': (hit) => idMarkup(hit.id, pathOf(hit)),
      'search.columns.detail': ({ detail }) => html`${detail}`,
      'search.columns.partner': isOperator ? ({ partnerName }) => html`${partnerName}` : undefined,
    }
    return html`<h2>${consoleText(`search.kinds.${kind}`)}</h2>!${dataTable(hits, columns, '')}`
  })
}

const PAYMENT_COLUMNS: Columns<PaymentMatches['rows'][number]> = {
  'payments.creditor': ({ id, creditorName, endToEndId }) =>
    html`<a href="${PATHS.payments}/${id}">${creditorName ?? endToEndId}</a>`,
  'payments.amount': numberColumn((row) => html`${orderedAmount(row)}`),
  'payments.status': ({ status }) => statusMarkup(status),
  'payments.created': ({ createdAt }) => timeMarkup(createdAt),
  'payments.endToEndId': ({ endToEndId }) => html`${endToEndId}`,
}

/** None without a match, except where the search goes on. */
function paymentSection({ by, filters, rows, next }: PaymentMatches): readonly string[] {
  if (rows.length === 0 && next === undefined) {
    return []
  }
  const list = `${PATHS.payments}?${new URLSearchParams(filters)}`
  return [
    html`<h2>${consoleText(`search.by.${by}`)}</h2>
!${dataTable(rows, PAYMENT_COLUMNS, consoleText('search.noneYet', { count: formatCount(SCANNED_MAX) }))}
!${next === undefined ? '' : html`<p class="actions"><a class="button second" href="${list}">${consoleText(next.isFull ? 'search.all' : 'search.on')}</a></p>`}`,
  ]
}

/** What was searched, so that a user who found nothing knows where it may still be. */
function howSearched(terms: SearchTerms, { ids }: Matches, viewer: Viewer): string {
  const seesPayments = isPermitted(viewer.session.roles, 'payments.read')
  const limits = { count: formatCount(SCANNED_MAX) }
  const searched = [
    consoleText('search.how.id'),
    ...(terms.id === undefined || !seesPayments ? [] : [consoleText('search.how.bankCalls')]),
    ...(ids.length > 0 || !seesPayments
      ? []
      : searchesOf(terms).map(({ by }) => consoleText(`search.how.${by}`, limits))),
  ]
  return html`<h2>${consoleText('search.searched')}</h2>
<ul>!${searched.map((text) => html`<li>${text}</li>`).join('')}</ul>
!${scopeOf(viewer)}`
}

function scopeOf({ session }: Viewer): string {
  return html`<p class="quiet">${consoleText('search.accepts')}
${consoleText(isPermitted(session.roles, 'payroll.read') ? 'search.payrolls' : 'search.noPayrolls')}</p>`
}
