/** Writes a cross-border payment as banks are given it: in letters that cross borders, numbers without separators. */
import type { CrossBorderPayment } from '../../../contract/cross-border-payment.ts'
import type { CrossBorderOrder } from '../../banks/cross-border-order.ts'
import { addressTexts } from '../../banks/postal-address.ts'
import { transliterate } from '../../countries/character-sets.ts'
import { keptDestination } from '../../countries/requirements/kept-destination.ts'
import { senderNumber } from '../../countries/sender-number.ts'
import { parseMoney } from '../../foundation/money.ts'
import { messageOf } from './cross-border-message.ts'
import { destinationOf } from './destination-of.ts'

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
