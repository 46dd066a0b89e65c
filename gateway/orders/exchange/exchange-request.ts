/** Builds the quote request of a cross-border payment. */
import type { CrossBorderPayment } from '../../../contract/payments/cross-border-payment.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import type { ExchangeRequest } from '../../fx/quotes/exchange-request.ts'
import { parseMoney } from '../../platform/money.ts'
import { crossBorderDestinationOf } from '../parse/cross-border-destination.ts'
import { crossBorderMessageOf } from '../parse/cross-border-message.ts'

/** Requires a validated order; the amount that the creditor receives is fixed. */
export function exchangeRequestOf(
  ordered: CrossBorderPayment,
  { consent }: Pick<ConsentCaller, 'consent'>,
): ExchangeRequest {
  const { from, to, amount: requested, metadata, dueDate } = ordered
  const amount = parseMoney(requested.amount, requested.currency)
  if (amount === undefined) {
    throw new Error('Expected a validated amount')
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
      destination: { ...crossBorderDestinationOf(ordered), message: crossBorderMessageOf(ordered) },
    },
  }
}
