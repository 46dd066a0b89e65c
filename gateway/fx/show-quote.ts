/** Shows a quote to its partner. */
import type { ExchangeQuote, QuoteAccount } from '../../contract/fx-operations.ts'
import { bbanOf, ibanOf } from '../countries/account-number.ts'
import { printMoney } from '../foundation/money.ts'
import { rateOf } from './exact-rate.ts'
import { payoutDateOf } from './give-quote.ts'
import type { HolderAddress, IntermediaryAccount } from './provider/beneficiary.ts'
import type { Quote } from './quote.ts'

export function showQuote(quote: Quote): ExchangeQuote {
  const { held, cost, markupPercent } = quote
  return {
    quoteId: quote.id,
    endToEndId: quote.endToEndId,
    requestedAmount: printMoney(held.buy),
    costAmount: printMoney(cost),
    exchangeRate: rateOf(cost, held.buy),
    quoteExpiryTime: quote.expiresAt.toString(),
    referenceCode: quote.referenceCode,
    intermediaryAccount: showIntermediary(quote.intermediary),
    ...(markupPercent === null ? {} : { markup: markupPercent }),
    chargeBearer: 'SHA',
    payoutDate: payoutDateOf(quote).toString(),
  }
}

/** The account that the cost is paid to; of the two numbers, one follows from the other. */
export function showIntermediary({ country, iban, bban, bic, holder }: IntermediaryAccount): QuoteAccount {
  const inside = iban === null ? undefined : bbanOf(iban)
  return {
    account: {
      iban: iban ?? (bban === null ? '' : (ibanOf(country, bban) ?? '')),
      bban: bban ?? (inside?.ok === true ? inside.bban : ''),
      bic: bic ?? '',
    },
    contactInformation: { name: holder.name, address: addressOf(holder.address, country) },
  }
}

/** Providers write the street with its number in one. */
function addressOf(
  { street, city, postCode, country: holderCountry }: HolderAddress,
  country: string,
): QuoteAccount['contactInformation']['address'] {
  const written = street ?? ''
  const [, streetName = written, buildingNumber = ''] = /^(.+?) ([0-9]+ ?[A-Za-z]?)$/.exec(written) ?? []
  return { streetName, buildingNumber, city: city ?? '', postCode: postCode ?? '', country: holderCountry ?? country }
}
