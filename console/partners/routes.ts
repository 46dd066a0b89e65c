/** Partners for operators: their credentials, agreements and companies. */
import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Context } from '../../gateway/context.ts'
import { isPermitted } from '../access/console-role.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { dataTable } from '../markup/data-table.ts'
import { wallTimeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { addAgreementOfForm, addAgreementPage } from './add-agreement-page.ts'
import { addCompanyOfForm, addCompanyPage } from './add-company-page.ts'
import { COMPANY_CHANGES, COMPANY_SWITCHES, changeCompanyOfForm, companyPage, switchCompany } from './company-page.ts'
import { CREATE_PARTNER_PATH, createPartnerOfForm, createPartnerPage } from './create-partner-page.ts'
import { partnerActionRoutes } from './partner-actions.ts'
import { enabledMarkup, partnerPage, permissionsOf } from './partner-page.ts'
import { PARTNERS_PATH } from './partners-path.ts'

export function partnerRoutes(context: Context): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  // Nearly every change of a partner or its companies grants a right, and operators who are no administrators grant none.
  const act = { permission: 'administrate' } as const
  const create = { path: CREATE_PARTNER_PATH, ...act } as const
  const one = `${PARTNERS_PATH}/:partnerId`
  return [
    { ...read, path: PARTNERS_PATH, handle: (request) => partnersPage(context, request) },
    { method: 'GET', ...create, handle: async (request) => createPartnerPage(request) },
    { method: 'POST', ...create, handle: (request) => createPartnerOfForm(context, request) },
    { ...read, path: one, handle: (request) => partnerPage(context, request) },
    { ...read, path: `${one}/companies/:companyNumber`, handle: (request) => companyPage(context, request) },
    { method: 'GET', ...act, path: `${one}/add-company`, handle: (request) => addCompanyPage(context, request) },
    { method: 'POST', ...act, path: `${one}/add-company`, handle: (request) => addCompanyOfForm(context, request) },
    { method: 'GET', ...act, path: `${one}/add-agreement`, handle: (request) => addAgreementPage(context, request) },
    { method: 'POST', ...act, path: `${one}/add-agreement`, handle: (request) => addAgreementOfForm(context, request) },
    ...partnerActionRoutes(context),
    ...COMPANY_CHANGES.map(
      (what): ConsoleRoute => ({
        method: 'POST',
        ...act,
        path: `${one}/companies/:companyNumber/${what}`,
        handle: (request) => changeCompanyOfForm(context, request, what),
      }),
    ),
    ...COMPANY_SWITCHES.map(
      (what): ConsoleRoute => ({
        method: 'POST',
        ...act,
        path: `${one}/companies/:companyNumber/${what}`,
        handle: (request) => switchCompany(context, request, what),
      }),
    ),
  ]
}

async function partnersPage(context: Context, { viewer }: ConsoleRequest): Promise<ConsolePage> {
  const columns = (['name', 'state', 'credentials', 'permissions', 'created'] as const).map((name) => ({
    label: consoleText(`partners.${name}`),
  }))
  const rows = (await listPartnersWithClients(context)).map(({ partner, clients }) => [
    html`<a href="${PARTNERS_PATH}/${partner.id}">${partner.name}</a>`,
    enabledMarkup(partner),
    html`${clients.filter(({ disabledAt }) => disabledAt === null).length}`,
    html`${permissionsOf(partner)}`,
    wallTimeMarkup(partner.createdAt),
  ])
  const create = isPermitted(viewer.session.roles, 'administrate')
    ? html`<p class="actions"><a class="button" href="${CREATE_PARTNER_PATH}">${consoleText('partners.create')}</a></p>`
    : ''
  const body = html`!${create}!${dataTable(columns, rows, consoleText('partners.none'))}`
  return { kind: 'page', title: consoleText('partners.title'), body }
}
