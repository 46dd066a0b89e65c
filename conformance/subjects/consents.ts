/** Provides consents: of the options, or created and accepted with the operations of the sandbox. */
import type { Bank } from '../../contract/banks.ts'
import type { Company } from '../../contract/companies.ts'
import { type CheckContext, NotApplicable, Violation } from '../check.ts'
import { subject } from './subject.ts'

/** A company of the partner, a bank of its country, and a user whom the bank knows. */
export type Payer = { readonly company: Company; readonly bank: Bank; readonly userId: string }

const HOME = 'NO'

/** The payers of a sandbox by country, one for each country with a company and a bank that takes payments. */
export const payers = subject(async (context: CheckContext): Promise<ReadonlyMap<string, Payer>> => {
  const companies = await context.succeed('listCompanies')
  const found = new Map<string, Payer>()
  for (const company of companies.filter(({ activeSubscription }) => activeSubscription)) {
    const banks = await context.succeed('listBanks', { params: { countryCode: company.country } })
    const bank = banks.filter(isSuitable).toSorted((one, other) => productCount(other) - productCount(one))[0]
    if (bank !== undefined && !found.has(company.country)) {
      found.set(company.country, { company, bank, userId: bank.userId.example })
    }
  }
  return found
})

function isSuitable({ supportedProducts, scaMethods, status }: Bank): boolean {
  const products = ['PAYMENT_DOMESTIC', 'ACCOUNTS', 'ACCOUNT_ENTRIES'] as const
  return (
    status === 'Operational' &&
    scaMethods.includes('Redirect') &&
    products.every((product) => supportedProducts.includes(product))
  )
}

/** The more a bank offers the more is checked; a cancellation with a signature is more than one without. */
function productCount({ supportedProducts, constraints }: Bank): number {
  return supportedProducts.length + (constraints.cancelSCARequired ? 1 : 0)
}

/** The payer of the checks: a Norwegian one if there is one. */
export const mainPayer = subject(async (context: CheckContext): Promise<Payer> => {
  const found = await payers(context)
  const payer = found.get(HOME) ?? [...found.values()][0]
  if (payer === undefined) {
    throw new NotApplicable('The partner has no company with an active subscription and a bank in its country')
  }
  return payer
})

/** The consent under which the checks order: that of the options, or a new one. */
export const acceptedConsent = subject(async (context: CheckContext): Promise<string> => {
  const { consentId, isSandbox } = context.target
  if (consentId !== undefined) {
    return consentId
  }
  if (!isSandbox) {
    throw new NotApplicable('It needs an accepted consent: outside a sandbox give one with --consent')
  }
  return await createAcceptedConsent(context, await mainPayer(context))
})

/** Creates a consent in the sandbox that its user accepts at once. */
export async function createAcceptedConsent(context: CheckContext, payer: Payer): Promise<string> {
  const { id } = await context.succeed('createConsent', { body: consentRequest(context, payer) })
  const { outcome } = await context.succeed('decideSandboxConsent', {
    params: { consentId: id, decision: 'sign' },
    body: { userId: payer.userId },
  })
  if (outcome !== 'success') {
    throw new Violation([`The sandbox's user accepted the consent, and the outcome is ${String(outcome)}`])
  }
  return id
}

export function consentRequest({ target }: CheckContext, { bank, company, userId }: Payer) {
  const { callbackUrl } = target
  return {
    bic: bank.bic,
    organizationNumber: company.organizationNumber,
    country: company.country,
    callbackUrl,
    userId,
  }
}
