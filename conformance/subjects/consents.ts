/** Provides consents: of the options, or created and accepted with the operations of the sandbox. */
import type { Bank } from '../../contract/banks.ts'
import type { Company } from '../../contract/companies.ts'
import type { Operation } from '../../contract/operation.ts'
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

/** The consent for an operation that acts for a user; undefined for others. */
export async function consentFor(
  context: CheckContext,
  { admits }: Pick<Operation, 'admits'>,
): Promise<string | undefined> {
  return admits === 'consent' ? await acceptedConsent(context) : undefined
}

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
  const { organizationNumber, country } = company
  return { bic: bank.bic, organizationNumber, country, callbackUrl: target.callbackUrl, userId }
}

type NationalSamples = {
  readonly currency: string
  /** An account that payments may go to, of a receiver that the sandbox knows. */
  readonly creditor: { readonly bban: string; readonly name: string }
  /** Each with what is wrong. */
  readonly invalidAccounts: readonly (readonly [bban: string, fault: string])[]
  /** Type and value of references for `validateRemittance`. */
  readonly validReferences: readonly (readonly [type: 'ocr' | 'fik', value: string])[]
  readonly invalidReferences: readonly (readonly [type: 'ocr' | 'fik', value: string, fault: string])[]
}

export const NATIONAL_SAMPLES: Readonly<Record<string, NationalSamples>> = {
  NO: {
    currency: 'NOK',
    creditor: { bban: '80501200011', name: 'Granli Trelast AS' },
    invalidAccounts: [
      ['80501200012', 'wrong check digit'],
      ['8050120001', 'too short'],
      ['805012000111', 'too long'],
      ['8050120001X', 'a letter'],
    ],
    validReferences: [['ocr', '2345676']],
    invalidReferences: [
      ['ocr', '2345675', 'wrong check digit'],
      ['ocr', '1', 'too short'],
      ['ocr', '12345678901234567890123456', 'more than 25 digits'],
    ],
  },
  SE: {
    currency: 'SEK',
    creditor: { bban: '79902000010', name: 'Granskog Trä AB' },
    invalidAccounts: [
      ['123', 'too short'],
      ['7990200001X', 'a letter'],
    ],
    validReferences: [['ocr', '1234567897']],
    invalidReferences: [
      ['ocr', '1234567896', 'wrong check digit'],
      ['ocr', '12345678901234567890123456', 'more than 25 digits'],
    ],
  },
  DK: {
    currency: 'DKK',
    creditor: { bban: '59600001200011', name: 'Bøgelund Tømmer A/S' },
    invalidAccounts: [
      ['123', 'too short'],
      ['596000012000111', 'too long'],
      ['5960000120001X', 'a letter'],
    ],
    validReferences: [['fik', '+71<000000000000018+81234567']],
    invalidReferences: [['fik', '+71<000000000000019+81234567', 'wrong check digit']],
  },
  FI: {
    currency: 'EUR',
    creditor: { bban: '40550002000012', name: 'Kuusela Puu Oy' },
    invalidAccounts: [
      ['40550002000013', 'wrong check digit'],
      ['FI1240550002000012', 'wrong check digits of the IBAN'],
      ['123', 'too short'],
    ],
    validReferences: [
      ['ocr', '1232'],
      ['ocr', 'RF111232'],
    ],
    invalidReferences: [
      ['ocr', '1233', 'wrong check digit'],
      ['ocr', 'RF121232', 'wrong check digits of the RF reference'],
    ],
  },
}
