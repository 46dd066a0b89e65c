/** Writes the exchange of a cross-border payment as a quote for it is asked. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { ExchangeAsked } from '../../fx/quotes/exchange-request.ts'
import { destinationOf } from '../../orders/instructions/cross-border-destination.ts'
import { messageOf } from '../../orders/instructions/cross-border-message.ts'
import { parseMoney } from '../../platform/money.ts'

/** The exchange of an order that has passed the rules; what the receiver gets is fixed. */
export function exchangeAskedOf(
  ordered: CrossBorderPayment,
  { consent }: Pick<ConsentCaller, 'consent'>,
): ExchangeAsked {
  const { from, to, amount: asked, metadata, dueDate } = ordered
  const amount = parseMoney(asked.amount, asked.currency)
  if (amount === undefined) {
    throw new Error('An amount got past the rules')
  }
  const { countryCode, organisationNumber } = consent
  const { name, address } = from.contactInformation
  return {
    company: { countryCode, organisationNumber },
    endToEndId: metadata.endToEndId,
    payer: {
      entityType: 'company',
      name,
      country: address.country,
      city: address.city,
      address: `${address.streetName} ${address.buildingNumber}`,
      postCode: address.postCode,
      organisationNumber,
    },
    fundingCountry: countryCode,
    fundingCurrency: from.currency,
    fixedSide: 'buy',
    amount,
    dueDate: Temporal.PlainDate.from(dueDate),
    receiver: {
      name: to.contactInformation.name,
      destination: { ...destinationOf(ordered), message: messageOf(ordered) },
    },
  }
}
