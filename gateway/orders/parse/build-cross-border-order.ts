/** Builds the order of a cross-border payment for the bank, in the characters that banks permit. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import { addressTexts, type CrossBorderOrder } from '../../banks/connector/bank-order.ts'
import { parseDebtorAccountNumber } from '../../countries/account-number.ts'
import { transliterate } from '../../countries/character-sets.ts'
import { normaliseDestination } from '../../countries/destinations/normalise-destination.ts'
import { parseMoney } from '../../platform/money.ts'
import { crossBorderDestinationOf, crossBorderMessageOf } from './cross-border-destination.ts'

/** Requires a validated payment. The bank's own IBAN of the debtor takes precedence over the computed one. */
export function buildCrossBorderOrder(
  ordered: CrossBorderPayment,
  countryCode: string,
  debtorIban: string | null,
): CrossBorderOrder {
  const { from, to, remittanceInformation, regulatoryReporting } = ordered
  const { bban, iban } = parseDebtorAccountNumber(countryCode, from.account.bban)
  const amount = parseMoney(ordered.amount.amount, ordered.amount.currency)
  if (amount === undefined) {
    throw new Error('Expected a validated amount')
  }
  const { account, bic, clearingCode = null } = normaliseDestination(crossBorderDestinationOf(ordered))
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
    message: crossBorderMessageOf(ordered),
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
  const texts = addressTexts(address).map(([field, text]) => [field, transliterate(text)])
  return { ...Object.fromEntries(texts), country: address.country }
}
