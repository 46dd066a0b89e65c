/** Partners for operators: their credentials, agreements and companies. */
import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { dataTable } from '../markup/data-table.ts'
import { timeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { COMPANY_SWITCHES, companyPage, switchCompany } from './company-page.ts'
import { enabledMarkup, PARTNERS_PATH, partnerPage, permissionsOf } from './partner-page.ts'

export function partnerRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  const one = `${PARTNERS_PATH}/:partnerId`
  return [
    { ...read, path: PARTNERS_PATH, handle: () => partnersPage(context) },
    { ...read, path: one, handle: (request) => partnerPage(context, request) },
    { ...read, path: `${one}/companies/:companyNumber`, handle: (request) => companyPage(context, request) },
    ...COMPANY_SWITCHES.map(
      (what): ConsoleRoute => ({
        method: 'POST',
        path: `${one}/companies/:companyNumber/${what}`,
        permission: 'operations.act',
        handle: (request) => switchCompany(context, request, what),
      }),
    ),
  ]
}

async function partnersPage(context: Context): Promise<ConsolePage> {
  const columns = (['name', 'state', 'credentials', 'permissions', 'created'] as const).map((name) => ({
    label: consoleText(`partners.${name}`),
  }))
  const rows = (await listPartnersWithClients(context)).map(({ partner, clients }) => [
    html`<a href="${PARTNERS_PATH}/${partner.id}">${partner.name}</a>`,
    enabledMarkup(partner),
    html`${clients.filter(({ disabledAt }) => disabledAt === null).length}`,
    html`${permissionsOf(partner)}`,
    timeMarkup(partner.createdAt),
  ])
  return {
    kind: 'page',
    title: consoleText('partners.title'),
    body: dataTable(columns, rows, consoleText('partners.none')),
  }
}
