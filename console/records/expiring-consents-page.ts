/** Lists consents that expire soon, the next first, so that they can be renewed without a gap. */
import { html } from 'ghtml'
import { type ExpiringConsent, listExpiringConsents } from '../../gateway/consents/list-expiring-consents.ts'
import type { Context } from '../../gateway/context.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { dataTable } from '../markup/data-table.ts'
import { filterForm } from '../markup/filter-form.ts'
import { filterReader } from '../markup/filter-reader.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { formatPosition, parsePosition } from '../markup/list-position.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink, pageOf } from '../markup/next-page.ts'
import { PARTNER_PARAMETER, partnerFields } from '../markup/partner-field.ts'
import { consoleText } from '../texts/console-texts.ts'

export const EXPIRING_CONSENTS_PATH = '/console/consents/expiring'
export const EXPIRY_DAYS = 30
const HOURS_OF_A_DAY = 24

export function expiringConsentRoutes(context: Context): readonly ConsoleRoute[] {
  return [
    {
      method: 'GET',
      path: EXPIRING_CONSENTS_PATH,
      permission: 'payments.read',
      handle: (request) => expiringConsentsPage(context, request),
    },
  ]
}

async function expiringConsentsPage(context: Context, { viewer, query }: ConsoleRequest): Promise<ConsolePage> {
  const filters = filterReader(query)
  const partnerId = partnerFilterOf(viewer, filters.id(PARTNER_PARAMETER))
  const after = filters.read(AFTER_PARAMETER, parsePosition, consoleText('filters.noPosition'))
  const isValid = filters.errors.size === 0
  const found = isValid
    ? await listExpiringConsents(context, {
        partnerId,
        within: { hours: HOURS_OF_A_DAY * EXPIRY_DAYS },
        after: after && { validUntil: after.createdAt, id: after.id },
        limit: LIST_ROWS + 1,
      })
    : []
  const { rows, last } = pageOf(found)
  const isOperator = viewer.session.partnerId === null
  const names = [
    'validUntil',
    'bank',
    'company',
    'user',
    'renewed',
    'id',
    ...(isOperator ? (['partner'] as const) : []),
  ] as const
  const partners = await partnerFields(context, viewer)
  const body = html`<p>${consoleText('expiringConsents.explain', { days: EXPIRY_DAYS })}</p>
!${partners.length === 0 ? '' : filterForm(EXPIRING_CONSENTS_PATH, { query, errors: filters.errors }, partners)}
!${dataTable(
    names.map((name) => ({ label: consoleText(`expiringConsents.${name}`) })),
    rows.map((consent) => cellsOf(consent, isOperator)),
    isValid ? consoleText('expiringConsents.none', { days: EXPIRY_DAYS }) : consoleText('filters.correct'),
  )}
!${nextPageLink(EXPIRING_CONSENTS_PATH, query, last && formatPosition({ createdAt: last.validUntil, id: last.id }))}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('expiringConsents.title'), body }
}

function cellsOf(consent: ExpiringConsent, isOperator: boolean): readonly string[] {
  return [
    timeMarkup(consent.validUntil),
    html`${consent.bic}`,
    html`${consent.countryCode} ${consent.organisationNumber}`,
    html`${consent.isAgreement ? consoleText('expiringConsents.agreement') : (consent.userIdMasked ?? '')}`,
    html`${consoleText(consent.isRenewed ? 'filters.yes' : 'filters.no')}`,
    html`<code>${consent.id}</code>`,
    ...(isOperator ? [html`${consent.partnerName}`] : []),
  ]
}
