/** Describes what a company may do. */
import type { Company } from '../../gateway/companies/company.ts'
import { mayPay } from '../../gateway/companies/require-company.ts'
import { consoleText } from '../texts/console-texts.ts'

export function companyStates(company: Company): Record<'onboarding' | 'subscription' | 'international', string> {
  const { activeSubscription, internationalPayments } = company
  return {
    onboarding: consoleText(mayPay(company) ? 'companies.onboarded' : 'companies.informationOnly'),
    subscription: consoleText(activeSubscription ? 'companies.active' : 'companies.inactive'),
    international: consoleText(internationalPayments ? 'companies.allowed' : 'companies.notAllowed'),
  }
}
