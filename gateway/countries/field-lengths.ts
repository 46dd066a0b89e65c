/** Defines the maximum lengths of texts in domestic payments, where a bank publishes no limit. */

/** ISO 20022: structured postal addresses. */
export const ADDRESS_LENGTHS = { streetName: 70, buildingNumber: 16, postCode: 16, city: 35 } as const

/** ISO 20022: unstructured remittance information; some banks and payment types have lower limits. */
export const MESSAGE_LENGTH = 140

/** The sender's own text: 20 characters in the domestic clearings of Norway, Sweden and Denmark, 35 in SEPA. */
const debtorReferenceByCountry: Readonly<Record<string, number>> = { NO: 20, SE: 20, DK: 20 }
const DEBTOR_REFERENCE_SEPA = 35

/** The maximum length of the text that only the debtor sees. */
export function debtorReferenceMax(countryCode: string): number {
  const max = Object.hasOwn(debtorReferenceByCountry, countryCode) ? debtorReferenceByCountry[countryCode] : undefined
  return max ?? DEBTOR_REFERENCE_SEPA
}
