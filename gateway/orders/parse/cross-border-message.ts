/** Builds the message of a cross-border payment, including the information that the country of destination requires. */
import type { AdditionalInformation, CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { transliterate } from '../../countries/character-sets.ts'

const labelByType: Readonly<Record<AdditionalInformation['type'], string>> = {
  Purpose: 'purpose',
  Reason: 'reason',
  TaxCode: 'tax code',
}

/**
 * One text in the permitted characters. The standard's cross-border product has no fields for purpose, reason and tax
 * code: what the destination requires is put in front of the message (decision 0070).
 */
export function crossBorderMessageOf({
  remittanceInformation: { message, additionalInformation = [] },
}: Pick<CrossBorderPayment, 'remittanceInformation'>): string {
  const required = additionalInformation.map(({ type, value }) => `${labelByType[type]} ${value.trim()}`)
  return transliterate([...required, message.trim()].join(', '))
}
