/** Defines the maximum lengths of texts in domestic payments, where a bank publishes no limit. */
import { countryRules } from './served-countries.ts'

/** ISO 20022: structured postal addresses. */
export const ADDRESS_LENGTHS = { streetName: 70, buildingNumber: 16, postCode: 16, city: 35 } as const

/** ISO 20022: unstructured remittance information; some banks and payment types have lower limits. */
export const MESSAGE_LENGTH = 140

/** SEPA: the text that only the debtor sees. */
const DEBTOR_REFERENCE_SEPA = 35

/** The maximum length of the text that only the debtor sees. */
export function debtorReferenceMax(countryCode: string): number {
  return countryRules(countryCode)?.domesticTexts.debtorReferenceMax ?? DEBTOR_REFERENCE_SEPA
}
