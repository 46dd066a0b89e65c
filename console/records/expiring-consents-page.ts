/** Lists consents that expire soon, the next first, so that they can be renewed without a gap. */
import { html } from 'ghtml'
import { type ExpiringConsent, listExpiringConsents } from '../../gateway/consents/expiry/list-expiring-consents.ts'
import type { Context } from '../../gateway/context.ts'
import type { ListPosition } from '../../gateway/partners/partner-rows.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleList } from '../lists/list-page.ts'
import { pageOf } from '../lists/next-page.ts'
import { chosenPartner } from '../lists/partner-field.ts'
import { idMarkup } from '../markup/copy/copy-button.ts'
import type { Columns } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { CONSENTS_PATH } from './consent-page.ts'

export const EXPIRING_CONSENTS_PATH = '/console/consents/expiring'
export const EXPIRY_DAYS = 30
const HOURS_OF_A_DAY = 24
/** Banks give consents for half a year at most. */
const DAYS_MAX = 366

type Filter = { readonly partnerId: string | null; readonly days: number; readonly after: ListPosition | undefined }

/** Its texts name the days of the request. */
export function expiringConsentList(
  context: Context,
  { query }: ConsoleRequest,
): ConsoleList<ExpiringConsent, Filter, ListPosition> {
  const days = parseDays(query.get('days') ?? '') ?? EXPIRY_DAYS
  return {
    path: EXPIRING_CONSENTS_PATH,
    title: consoleText('expiringConsents.title'),
    about: html`<p>${consoleText('expiringConsents.explain', { count: days })}</p>`,
    fields: [{ name: 'days', label: consoleText('expiringConsents.days') }],
    filterOf: (filters, viewer) => ({
      partnerId: chosenPartner(filters, viewer),
      days: filters.read('days', parseDays, consoleText('expiringConsents.noDays')) ?? EXPIRY_DAYS,
      after: filters.position(),
    }),
    read: async (filter, limit) => {
      const found = await listExpiringConsents(context, {
        partnerId: filter.partnerId,
        within: { hours: HOURS_OF_A_DAY * filter.days },
        after: filter.after && { validUntil: filter.after.createdAt, id: filter.after.id },
        limit: limit + 1,
      })
      const { rows, last } = pageOf(found, limit)
      return { rows, next: last && { createdAt: last.validUntil, id: last.id } }
    },
    columns: COLUMNS,
    none: consoleText('expiringConsents.none', { count: days }),
  }
}

function parseDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : 0
  return days >= 1 && days <= DAYS_MAX ? days : undefined
}

const COLUMNS: Columns<ExpiringConsent> = {
  'expiringConsents.validUntil': ({ validUntil }) => timeMarkup(validUntil),
  'expiringConsents.bank': ({ bic }) => html`${bic}`,
  'expiringConsents.company': ({ countryCode, organisationNumber }) => html`${countryCode} ${organisationNumber}`,
  'expiringConsents.user': ({ isAgreement, userIdMasked }) =>
    html`${isAgreement ? consoleText('expiringConsents.agreement') : (userIdMasked ?? '')}`,
  'expiringConsents.renewed': ({ isRenewed }) => html`${consoleText(isRenewed ? 'filters.yes' : 'filters.no')}`,
  'expiringConsents.id': ({ id, isAgreement }) => idMarkup(id, isAgreement ? undefined : `${CONSENTS_PATH}/${id}`),
  'expiringConsents.partner': { isOf: 'operators', cell: ({ partnerName }) => html`${partnerName}` },
}
