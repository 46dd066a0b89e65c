/** How long texts of a domestic payment may be for which banks publish no limit of their own. */

/** ISO 20022: structured postal addresses. */
export const ADDRESS_LENGTHS = { streetName: 70, buildingNumber: 16, postCode: 16, city: 35 } as const

/** ISO 20022: an unstructured remittance text; single banks and rails take less. */
export const MESSAGE_LENGTH = 140

/** The sender's own text: 20 characters in the domestic clearings of Norway, Sweden and Denmark, 35 in SEPA. */
const debtorReferenceByCountry: Readonly<Record<string, number>> = { NO: 20, SE: 20, DK: 20 }
const DEBTOR_REFERENCE_SEPA = 35

/** How long the text may be that only the sender sees. */
export function debtorReferenceMax(countryCode: string): number {
  const max = Object.hasOwn(debtorReferenceByCountry, countryCode) ? debtorReferenceByCountry[countryCode] : undefined
  return max ?? DEBTOR_REFERENCE_SEPA
}
