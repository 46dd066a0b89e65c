/** Lists partners, and shows one: its settings, credentials, agreements with banks, and companies. */
import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Company } from '../../gateway/companies/company.ts'
import { searchCompanies } from '../../gateway/companies/list-companies.ts'
import { listAgreements } from '../../gateway/consents/agreements/list-agreements.ts'
import type { Context } from '../../gateway/context.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { organisationNumberVariants } from '../../gateway/countries/served-countries.ts'
import type { Client, Partner } from '../../gateway/partners/partner.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isPermitted } from '../access/console-role.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable, factList } from '../markup/data-table.ts'
import { timeMarkup, wallTimeMarkup } from '../markup/format-time.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { enabledMarkup, statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { companyStates } from './company-states.ts'
import { CREATE_PARTNER_PATH } from './create-partner-page.ts'
import { disableForm, endForm, partnerForms, payrollForm } from './partner-forms.ts'
import { companyPath, PARTNERS_PATH } from './partners-path.ts'

export async function partnerPage(
  context: Context,
  { viewer, params, query }: ConsoleRequest,
  rejected?: ActionOutcome,
): Promise<ConsolePage> {
  const { partner, clients } = await requirePartnerInPath(context, params)
  const companies = await companiesOf(context, partner, query)
  const isEnabled = partner.disabledAt === null
  const mayAct = isEnabled && isPermitted(viewer.session.roles, 'administrate')
  const token = mayAct ? viewer.token : undefined
  const link = (page: string, label: string) =>
    mayAct
      ? html`<p class="actions"><a class="button second" href="${PARTNERS_PATH}/${partner.id}/${page}">${label}</a></p>`
      : ''
  const body = html`!${noticeMarkup(rejected)}!${factsOf(partner, context.config)}
!${mayAct ? partnerForms(partner, viewer) : ''}
<h2>${consoleText('partner.credentials')}</h2>
!${credentialsOf(partner, clients, token)}
<h2>${consoleText('partner.agreements')}</h2>
!${await agreementsOf(context, partner, token)}
!${link('add-agreement', consoleText('agreements.add'))}
<h2>${consoleText('partner.companies')}</h2>
!${companies.markup}
!${link('add-company', consoleText('companies.add'))}
!${mayAct ? disableForm(partner, viewer) : ''}`
  const status = rejected?.status ?? (companies.isValid ? 200 : 422)
  return { kind: 'page', status, title: partner.name, body }
}

/** Throws `not-found` for an unknown id. */
export async function requirePartnerInPath(
  context: Context,
  { partnerId }: ConsoleRequest['params'],
): Promise<{ readonly partner: Partner; readonly clients: readonly Client[] }> {
  const found = (await listPartnersWithClients(context)).find(({ partner }) => partner.id === partnerId)
  if (found === undefined) {
    throw apiError('not-found', 'There is no partner with this id')
  }
  return found
}

/** Under the names of the command line. */
function permissionsOf({ payrollBulk, aisRegistration }: Partner): string {
  return [...(payrollBulk ? ['payroll-bulk'] : []), ...(aisRegistration ? ['ais-registration'] : [])].join(', ')
}

function factsOf(partner: Partner, limits: Context['config']): string {
  const limitsOfEach = { requests: limits.requestsPerSecond, tokens: limits.tokenRequestsPerMinute }
  return factList({
    'partners.state': enabledMarkup(partner),
    'partners.permissions': html`${permissionsOf(partner)}`,
    'partner.callbackOrigins': breakableText(partner.callbackOrigins.join(', ')),
    'partner.limits': html`${consoleText('partner.limitsOfEach', limitsOfEach)}`,
    'partners.created': wallTimeMarkup(partner.createdAt),
    'partner.id': copyableCode(partner.id, consoleText('partner.id')),
  })
}

/** `token` is undefined for users who may not act. */
function credentialsOf({ id }: Partner, clients: readonly Client[], token: string | undefined): string {
  const columns: Columns = ['credentials.clientId', 'credentials.state', 'credentials.payroll', 'credentials.created']
  const rows = clients.map((client) => [
    idMarkup(client.clientId, `/console/credentials/${encodeURIComponent(client.clientId)}`),
    enabledMarkup(client),
    html`${consoleText(client.payroll ? 'credentials.permitted' : 'credentials.notPermitted')}`,
    wallTimeMarkup(client.createdAt),
    ...(token === undefined ? [] : [client.disabledAt === null ? payrollForm(id, client, token) : '']),
  ])
  return dataTable([...columns, ...actionColumn(token)], rows, consoleText('credentials.none'))
}

async function agreementsOf(context: Context, { id }: Partner, token: string | undefined): Promise<string> {
  const columns: Columns = [
    'agreements.number',
    'agreements.state',
    'agreements.bank',
    'agreements.company',
    'agreements.accounts',
    'agreements.validUntil',
    'agreements.id',
  ]
  const rows = (await listAgreements(context, id)).map((agreement) => [
    html`${agreement.number}`,
    statusMarkup(agreement.status),
    html`${agreement.bic}`,
    companyLink(id, agreement),
    html`${agreement.accounts.map(({ bban, iban }) => formatAccountNumber(agreement.countryCode, bban ?? iban ?? '')).join(', ')}`,
    timeMarkup(agreement.validUntil),
    idMarkup(agreement.id),
    ...(token === undefined ? [] : [agreement.status === 'ACCEPTED' ? endForm(id, agreement, token) : '']),
  ])
  return dataTable([...columns, ...actionColumn(token)], rows, consoleText('agreements.none'))
}

function actionColumn(token: string | undefined): Columns {
  return token === undefined ? [] : [{ label: 'partner.action', kind: 'action' }]
}

/** The newest first; the filter finds one by its number. */
async function companiesOf(
  context: Context,
  { id: partnerId }: Partner,
  query: URLSearchParams,
): Promise<{ readonly markup: string; readonly isValid: boolean }> {
  const filters = filterReader(query)
  const organisationNumbers = filters.read('number', organisationNumberVariants, '')
  const beforeId = filters.id(AFTER_PARAMETER)
  const isValid = filters.errors.size === 0
  const search = { partnerId, organisationNumbers, beforeId }
  const { rows, last } = pageOf(isValid ? await searchCompanies(context, search, LIST_ROWS + 1) : [])
  const path = `${PARTNERS_PATH}/${partnerId}`
  const columns: Columns = [
    'companies.number',
    'companies.name',
    'companies.onboarding',
    'companies.subscription',
    'companies.international',
  ]
  const none = organisationNumbers === undefined ? consoleText('companies.none') : consoleText('companies.noMatch')
  const markup = html`!${filterForm(path, { query, errors: filters.errors }, [{ name: 'number', label: consoleText('companies.number') }])}
!${dataTable(columns, rows.map(cellsOf), isValid ? none : consoleText('filters.correct'))}
!${nextPageLink(path, query, last?.id)}`
  return { markup, isValid }
}

function cellsOf(company: Company): readonly string[] {
  const { onboarding, subscription, international } = companyStates(company)
  const states = [onboarding, subscription, international].map((state) => html`${state}`)
  return [companyLink(company.partnerId, company), html`${company.name}`, ...states]
}

function companyLink(
  partnerId: string,
  { countryCode, organisationNumber }: Pick<Company, 'countryCode' | 'organisationNumber'>,
): string {
  const path = companyPath({ partnerId, countryCode, organisationNumber })
  return html`<a href="${path}">${countryCode} ${organisationNumber}</a>`
}

export async function partnersPage(context: Context, { viewer }: ConsoleRequest): Promise<ConsolePage> {
  const columns: Columns = [
    'partners.name',
    'partners.state',
    'partners.credentials',
    'partners.permissions',
    'partners.created',
  ]
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
