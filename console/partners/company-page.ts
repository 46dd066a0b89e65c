/** Shows a company of a partner with its history, and switches what it may do. */
import { html } from 'ghtml'
import {
  changeCompany,
  onboard,
  rename,
  setInternationalPayments,
  setSubscription,
} from '../../gateway/companies/change-company.ts'
import type { Company } from '../../gateway/companies/company.ts'
import { findRequestedCompany, mayPay } from '../../gateway/companies/require-company.ts'
import type { Context } from '../../gateway/context.ts'
import { listAuditLog } from '../../gateway/operators/audit-log.ts'
import type { Partner } from '../../gateway/partners/partner.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isPermitted } from '../access/console-role.ts'
import { actorOf } from '../access/console-session.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { actionForm, buttonForm, executeAction } from '../markup/action-form.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { SEEN_FIELD } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'
import { companyStates } from './company-states.ts'
import { requirePartnerInPath } from './partner-page.ts'
import { companyPath, PARTNERS_PATH } from './partners-path.ts'

/** What can be switched on and off; the last part of the path of its form. */
export const COMPANY_SWITCHES = ['subscription', 'international'] as const
export type CompanySwitch = (typeof COMPANY_SWITCHES)[number]

const alterations = { subscription: setSubscription, international: setInternationalPayments } as const
const isOn: Readonly<Record<CompanySwitch, (company: Company) => boolean>> = {
  subscription: ({ activeSubscription }) => activeSubscription,
  international: ({ internationalPayments }) => internationalPayments,
}

/** Other changes; each is the last part of the path of its form. */
export const COMPANY_CHANGES = ['onboard', 'rename'] as const

export async function companyPage(
  context: Context,
  { viewer, params }: ConsoleRequest,
  rejected?: ActionOutcome,
): Promise<ConsolePage> {
  const { partner, company } = await requireCompanyInPath(context, params)
  const states = companyStates(company)
  const facts = factList({
    'companies.number': html`${company.countryCode} ${company.organisationNumber}`,
    'companies.partner': html`<a href="${PARTNERS_PATH}/${partner.id}">${partner.name}</a>`,
    'companies.onboarding': html`${states.onboarding}`,
    'companies.subscription': html`${states.subscription}`,
    'companies.international': html`${states.international}`,
    'companies.id': copyableCode(company.id, consoleText('companies.id')),
  })
  const mayAct = isPermitted(viewer.session.roles, 'administrate')
  const history = await listAuditLog(context, partner.id, company.id)
  const body = html`!${noticeMarkup(rejected)}!${facts}
!${mayAct ? switchesOf(company, viewer) + renameForm(company, viewer) : ''}!${auditHistory(history)}`
  return { kind: 'page', status: rejected?.status ?? 200, title: company.name, body }
}

/** The page says why a change was rejected. */
export async function changeCompanyOfForm(
  context: Context,
  request: ConsoleRequest,
  what: (typeof COMPANY_CHANGES)[number],
): Promise<ConsoleAnswer> {
  const { viewer, params, form } = request
  const { company } = await requireCompanyInPath(context, params)
  const rejected = await executeAction(async () => {
    if (what === 'rename' && form.text(SEEN_FIELD) !== company.name) {
      throw apiError('conflict', consoleText('companies.renamedMeanwhile', { name: company.name }))
    }
    const alteration = what === 'rename' ? rename(form.text('name')) : onboard()
    const { changed } = await changeCompany(context, actorOf(viewer.session), company, alteration)
    if (!changed) {
      throw apiError('conflict', consoleText('companies.asWanted'))
    }
  })
  return rejected === undefined
    ? { kind: 'redirect', to: companyPath(company) }
    : await companyPage(context, request, rejected)
}

/** Throws `conflict` when another operator was faster, or the company may not pay at all. */
export async function switchCompany(
  context: Context,
  { viewer, params, form }: ConsoleRequest,
  what: CompanySwitch,
): Promise<ConsoleAnswer> {
  const { company } = await requireCompanyInPath(context, params)
  const to = form.text('to') === 'on'
  if (what === 'international' && to && !mayPay(company)) {
    throw apiError('conflict', `${company.name} is registered for account information only`)
  }
  const { changed } = await changeCompany(context, actorOf(viewer.session), company, alterations[what](to))
  if (!changed) {
    throw apiError(
      'conflict',
      `${company.name} has been changed since you opened its page: it is as you want it already`,
    )
  }
  return { kind: 'redirect', to: companyPath(company) }
}

/** The number in the path begins with the country: `NO-987654325`. Throws `not-found` for an unknown one. */
async function requireCompanyInPath(
  context: Context,
  params: ConsoleRequest['params'],
): Promise<{ readonly partner: Partner; readonly company: Company }> {
  const { partner } = await requirePartnerInPath(context, params)
  const { companyNumber = '' } = params
  const [countryCode, organisationNumber] = [companyNumber.slice(0, 2), companyNumber.slice(3)]
  const company = await findRequestedCompany(context, { partnerId: partner.id, countryCode, organisationNumber })
  if (company === null) {
    throw apiError('not-found', 'The partner has no company with this number')
  }
  return { partner, company }
}

function switchesOf(company: Company, { token }: Viewer): string {
  const forms = COMPANY_SWITCHES.filter((what) => what !== 'international' || mayPay(company)).map((what) => {
    const to = isOn[what](company) ? 'off' : 'on'
    return buttonForm({
      path: `${companyPath(company)}/${what}`,
      token,
      label: consoleText(`companies.switches.${what}.${to}`),
      fields: { to },
    })
  })
  const onboarding = mayPay(company)
    ? ''
    : buttonForm({ path: `${companyPath(company)}/onboard`, token, label: consoleText('companies.onboard') })
  return html`<div class="actions">!${forms.join('')}!${onboarding}</div>`
}

function renameForm(company: Company, { token }: Viewer): string {
  const { name } = company
  const button = consoleText('companies.rename')
  const field = { name: 'name', label: consoleText('companies.name'), hint: consoleText('companies.nameHint') }
  const fields = [{ ...field, value: name }]
  const form = actionForm({ path: `${companyPath(company)}/rename`, button, token, fields, seen: name })
  return html`<details><summary>${button}</summary>!${form}</details>`
}
