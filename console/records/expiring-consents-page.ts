/** Lists consents that expire soon, the next first, so that they can be renewed without a gap. */
import { html } from 'ghtml'
import { type ExpiringConsent, listExpiringConsents } from '../../gateway/consents/expiry/list-expiring-consents.ts'
import type { Context } from '../../gateway/context.ts'
import { partnerFilterOf } from '../access/partner-filter.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { formatPosition, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { PARTNER_PARAMETER, partnerFields } from '../lists/partner-field.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import { dataTable } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CONSENTS_PATH } from './consent-page.ts'

export const EXPIRING_CONSENTS_PATH = '/console/consents/expiring'
export const EXPIRY_DAYS = 30
const HOURS_OF_A_DAY = 24
/** Banks give consents for half a year at most. */
const DAYS_MAX = 366

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
  const days = filters.read('days', parseDays, consoleText('expiringConsents.noDays')) ?? EXPIRY_DAYS
  const after = filters.position()
  const isValid = filters.errors.size === 0
  const found = isValid
    ? await listExpiringConsents(context, {
        partnerId,
        within: { hours: HOURS_OF_A_DAY * days },
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
  const body = html`<p>${consoleText('expiringConsents.explain', { days })}</p>
!${filterForm(EXPIRING_CONSENTS_PATH, { query, errors: filters.errors }, [...partners, { name: 'days', label: consoleText('expiringConsents.days') }])}
!${dataTable(
    names.map((name) => ({ label: consoleText(`expiringConsents.${name}`) })),
    rows.map((consent) => cellsOf(consent, isOperator)),
    isValid ? consoleText('expiringConsents.none', { days }) : consoleText('filters.correct'),
  )}
!${nextPageLink(EXPIRING_CONSENTS_PATH, query, last && formatPosition({ createdAt: last.validUntil, id: last.id }))}`
  return { kind: 'page', status: isValid ? 200 : 422, title: consoleText('expiringConsents.title'), body }
}

function parseDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return days >= 1 && days <= DAYS_MAX ? days : undefined
}

function cellsOf(consent: ExpiringConsent, isOperator: boolean): readonly string[] {
  return [
    timeMarkup(consent.validUntil),
    html`${consent.bic}`,
    html`${consent.countryCode} ${consent.organisationNumber}`,
    html`${consent.isAgreement ? consoleText('expiringConsents.agreement') : (consent.userIdMasked ?? '')}`,
    html`${consoleText(consent.isRenewed ? 'filters.yes' : 'filters.no')}`,
    idMarkup(consent.id, consent.isAgreement ? undefined : `${CONSENTS_PATH}/${consent.id}`),
    ...(isOperator ? [html`${consent.partnerName}`] : []),
  ]
}
