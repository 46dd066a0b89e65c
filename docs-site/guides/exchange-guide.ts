/** The guide to currency exchange: quotes, booking, opening hours and errors. */
import { html } from 'ghtml'
import { PARSING_MEANINGS } from '../../contract/errors/error-codes.ts'
import { code, type DocsSettings, definitionList, type Guide } from './guide.ts'

const WAYS = [
  [
    'A cross-border payment',
    'with a quoteId, or without one: then it is priced at that moment. The user signs the domestic payment that funds it.',
  ],
  [
    'A domestic payment',
    'of costAmount to the intermediary account, due on the day of the quote, with the referenceCode in its message, ordered before the quote expires.',
  ],
  ['Inbound funds', 'that reach the intermediary account with the referenceCode in its message in time.'],
] as const

/** The exchange chapter. */
export function exchangeGuide({ mode }: Pick<DocsSettings, 'mode'>): Guide {
  return {
    id: 'exchange',
    title: 'Paying in another currency',
    body: `<p>Money is exchanged when the receiver’s currency differs from that of the debtor account. First read what the
receiver’s country requires: <a href="#getPaymentRequirement">getPaymentRequirement</a>. Check whether an order would be accepted:
<a href="#validateExchange">validateExchange</a>. Then request a quote: <a href="#quoteExchange">quoteExchange</a>.</p>
<p><strong>Which amount you fix</strong> follows from its currency. In the receiver’s currency, the receiver gets exactly that amount, and
<code>costAmount</code> is its cost. In the sender’s currency, with the receiver’s in <code>to.currency</code>, the sender pays
exactly that amount, and <code>requestedAmount</code> is what the receiver gets. <code>exchangeRate</code> is the price of one unit of the receiver’s
currency in the sender’s; <code>markup</code> is the percentage above the reference rate of the European Central
Bank.</p>
<p><strong>Booking a quote</strong> is possible in one of three ways, once, before <code>quoteExpiryTime</code>: two minutes when it is due
today, five otherwise. A quote that is not booked costs nothing.</p>
${definitionList(WAYS)}
<p><strong>Opening hours</strong>: <a href="#getExchangeCalendar">getExchangeCalendar</a> says whether orders are accepted now, and
which due dates are possible; <a href="#listCurrencies">listCurrencies</a> lists the maximum amount of each currency and
how far ahead it can be exchanged. After 16:00 in Oslo the next bank day is the earliest.${mode === 'sandbox' ? SANDBOX : ''}</p>
<p><strong>Errors</strong> differ from other operations. A body that cannot be parsed returns
<span class="status">400</span> with the first parsing error:</p>
${code('{ "code": "MissingField", "reason": "is required", "path": ".from.bic" }', 'json')}
${definitionList(Object.entries(PARSING_MEANINGS))}
<p>All validation errors of a parsed body are returned with <span class="status">422</span>, as elsewhere. A company that may not
pay abroad gets <span class="status">403</span> in plain text.</p>`,
  }
}

const SANDBOX = html` Outside opening hours the error says how to advance the clock to the next opening.`
