/** Writes a cross-border payment as banks are given it: in letters that cross borders, numbers without separators. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { CrossBorderOrder } from '../../banks/connector/cross-border-order.ts'
import { addressTexts } from '../../banks/connector/postal-address.ts'
import { transliterate } from '../../countries/character-sets.ts'
import { senderNumber } from '../../countries/debtor-account-number.ts'
import { keptDestination } from '../../countries/destinations/normalise-destination.ts'
import { parseMoney } from '../../platform/money.ts'
import { destinationOf } from './cross-border-destination.ts'
import { messageOf } from './cross-border-message.ts'

/** The order of a payment that has passed the rules; the debtor's IBAN is the bank's own where it told one. */
export function crossBorderOrderOf(
  ordered: CrossBorderPayment,
  countryCode: string,
  debtorIban: string | null,
): CrossBorderOrder {
  const { from, to, remittanceInformation, regulatoryReporting } = ordered
  const { bban, iban } = senderNumber(countryCode, from.account.bban)
  const amount = parseMoney(ordered.amount.amount, ordered.amount.currency)
  if (amount === undefined) {
    throw new Error('An amount got past the rules')
  }
  const { account, bic, clearingCode = null } = keptDestination(destinationOf(ordered))
  return {
    endToEndId: ordered.metadata.endToEndId,
    debtor: { bban, iban: debtorIban ?? iban, name: from.contactInformation.name, currency: from.currency },
    creditor: {
      account:
        'iban' in account
          ? { type: 'iban', number: account.iban }
          : { type: 'bban', number: account.bban.toUpperCase() },
      bic,
      clearingCode,
      name: transliterate(to.contactInformation.name),
      address: addressOf(to.contactInformation.address),
    },
    amount,
    dueDate: Temporal.PlainDate.from(ordered.dueDate),
    message: messageOf(ordered),
    debtorReference: remittanceInformation.debtorReference ?? null,
    regulatoryReporting:
      regulatoryReporting === undefined
        ? null
        : { code: regulatoryReporting.code, information: regulatoryReporting.information ?? null },
  }
}

function addressOf(
  address: CrossBorderPayment['to']['contactInformation']['address'],
): CrossBorderOrder['creditor']['address'] {
  const texts = addressTexts(address).map(([member, text]) => [member, transliterate(text)])
  return { ...Object.fromEntries(texts), country: address.country }
}
