/** Lists partners, and shows one: its settings, credentials, agreements with banks, and companies. */
import { html } from 'ghtml'
import { listPartnersWithClients } from '../../gateway/auth/list-partners.ts'
import type { Company } from '../../gateway/companies/company.ts'
import { searchCompanies } from '../../gateway/companies/list-companies.ts'
import { type Agreement, listAgreements } from '../../gateway/consents/agreements/agreement.ts'
import type { Context } from '../../gateway/context.ts'
import { formatAccountNumber } from '../../gateway/countries/account-number.ts'
import { organisationNumberVariants } from '../../gateway/countries/served-countries.ts'
import type { Client, Partner } from '../../gateway/partners/partner.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isPermitted } from '../access/console-role.ts'
import type { ConsoleRequest } from '../console-route.ts'
import { CLIENT_COLUMNS } from '../credentials/credentials-page.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { AFTER_PARAMETER, LIST_ROWS, nextPageLink, pageOf } from '../lists/next-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode, idMarkup } from '../markup/copy/copy-button.ts'
import { actionColumn, type Columns, dataTable, factList } from '../markup/data-table.ts'
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
  const action =
    token === undefined
      ? undefined
      : actionColumn((client: Client) => (client.disabledAt === null ? payrollForm(id, client, token) : ''))
  return dataTable(clients, { ...CLIENT_COLUMNS, 'partner.action': action }, consoleText('credentials.none'))
}

async function agreementsOf(context: Context, { id }: Partner, token: string | undefined): Promise<string> {
  const columns: Columns<Agreement> = {
    'agreements.number': ({ number }) => html`${number}`,
    'agreements.state': ({ status }) => statusMarkup(status),
    'agreements.bank': ({ bic }) => html`${bic}`,
    'agreements.company': (agreement) => companyLink(id, agreement),
    'agreements.accounts': ({ accounts, countryCode }) =>
      html`${accounts.map(({ bban, iban }) => formatAccountNumber(countryCode, bban ?? iban ?? '')).join(', ')}`,
    'agreements.validUntil': ({ validUntil }) => timeMarkup(validUntil),
    'agreements.id': (agreement) => idMarkup(agreement.id),
    'partner.action':
      token === undefined
        ? undefined
        : actionColumn((agreement) => (agreement.status === 'ACCEPTED' ? endForm(id, agreement, token) : '')),
  }
  return dataTable(await listAgreements(context, id), columns, consoleText('agreements.none'))
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
  const none = organisationNumbers === undefined ? consoleText('companies.none') : consoleText('companies.noMatch')
  const markup = html`!${filterForm(path, { query, errors: filters.errors }, [{ name: 'number', label: consoleText('companies.number') }])}
!${dataTable(rows, COMPANY_COLUMNS, isValid ? none : consoleText('filters.correct'))}
!${nextPageLink(path, query, last?.id)}`
  return { markup, isValid }
}

const COMPANY_COLUMNS: Columns<Company> = {
  'companies.number': (company) => companyLink(company.partnerId, company),
  'companies.name': ({ name }) => html`${name}`,
  'companies.onboarding': (company) => html`${companyStates(company).onboarding}`,
  'companies.subscription': (company) => html`${companyStates(company).subscription}`,
  'companies.international': (company) => html`${companyStates(company).international}`,
}

function companyLink(
  partnerId: string,
  { countryCode, organisationNumber }: Pick<Company, 'countryCode' | 'organisationNumber'>,
): string {
  const path = companyPath({ partnerId, countryCode, organisationNumber })
  return html`<a href="${path}">${countryCode} ${organisationNumber}</a>`
}

export async function partnersPage(context: Context, { viewer }: ConsoleRequest): Promise<ConsolePage> {
  const partners = dataTable(
    await listPartnersWithClients(context),
    {
      'partners.name': ({ partner: { id, name } }) => html`<a href="${PARTNERS_PATH}/${id}">${name}</a>`,
      'partners.state': ({ partner }) => enabledMarkup(partner),
      'partners.credentials': ({ clients }) => html`${clients.filter(({ disabledAt }) => disabledAt === null).length}`,
      'partners.permissions': ({ partner }) => html`${permissionsOf(partner)}`,
      'partners.created': ({ partner }) => wallTimeMarkup(partner.createdAt),
    },
    consoleText('partners.none'),
  )
  const create = isPermitted(viewer.session.roles, 'administrate')
    ? html`<p class="actions"><a class="button" href="${CREATE_PARTNER_PATH}">${consoleText('partners.create')}</a></p>`
    : ''
  const body = html`!${create}!${partners}`
  return { kind: 'page', title: consoleText('partners.title'), body }
}
