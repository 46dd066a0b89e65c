/** Shows a company of a partner, and its history. */
import { html } from 'ghtml'
import { findRequestedCompany } from '../../gateway/companies/require-company.ts'
import type { Context } from '../../gateway/context.ts'
import { listAuditLog } from '../../gateway/operators/list-audit-log.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { auditHistory } from '../markup/audit-history.ts'
import { factList } from '../markup/fact-list.ts'
import { consoleText } from '../texts/console-texts.ts'
import { companyStates } from './company-states.ts'
import { PARTNERS_PATH, requirePartnerInPath } from './partner-page.ts'

/** The number in the path begins with the country: `NO-987654325`. Throws `not-found` for an unknown one. */
export async function companyPage(context: Context, { params }: ConsoleRequest): Promise<ConsolePage> {
  const { partner } = await requirePartnerInPath(context, params)
  const { companyNumber = '' } = params
  const [countryCode, organisationNumber] = [companyNumber.slice(0, 2), companyNumber.slice(3)]
  const company = await findRequestedCompany(context, { partnerId: partner.id, countryCode, organisationNumber })
  if (company === null) {
    throw apiError('not-found', 'The partner has no company with this number')
  }
  const states = companyStates(company)
  const facts = factList([
    [consoleText('companies.number'), html`${company.countryCode} ${company.organisationNumber}`],
    [consoleText('companies.partner'), html`<a href="${PARTNERS_PATH}/${partner.id}">${partner.name}</a>`],
    [consoleText('companies.onboarding'), html`${states.onboarding}`],
    [consoleText('companies.subscription'), html`${states.subscription}`],
    [consoleText('companies.international'), html`${states.international}`],
    [consoleText('companies.id'), html`<code>${company.id}</code>`],
  ])
  const history = await listAuditLog(context, partner.id, company.id)
  return { kind: 'page', title: company.name, body: html`!${facts}!${auditHistory(history)}` }
}
