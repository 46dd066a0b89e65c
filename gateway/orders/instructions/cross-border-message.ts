/** Writes what the receiver of a cross-border payment, and the banks on the way, are told: message and all that the country demands. */
import type { AdditionalInformation, CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { transliterate } from '../../countries/character-sets.ts'

const wordByType: Readonly<Record<AdditionalInformation['type'], string>> = {
  Purpose: 'purpose',
  Reason: 'reason',
  TaxCode: 'tax code',
}

/**
 * One text, in letters that cross borders. The standard's cross-border product has no members for purpose, reason and tax
 * code: what the receiving country demands stands in front of the message (decision 0070).
 */
export function messageOf({
  remittanceInformation: { message, additionalInformation = [] },
}: Pick<CrossBorderPayment, 'remittanceInformation'>): string {
  const demanded = additionalInformation.map(({ type, value }) => `${wordByType[type]} ${value.trim()}`)
  return transliterate([...demanded, message.trim()].join(', '))
}
