/** The guide to exchange: what is asked before money is changed, how a quote is booked, when it is possible, and what refuses it. */
import { html } from 'ghtml'
import { PARSING_MEANINGS } from '../../contract/errors/error-codes.ts'
import { code, type Guide, meanings, type Place } from '../../docs-site/guides/guide.ts'

const WAYS = [
  [
    'A cross-border payment',
    'with the quoteId, or without one: then a price is taken at that moment. The user signs the domestic payment that funds it.',
  ],
  [
    'A domestic payment',
    'of costAmount to the intermediary account, due on the day of the quote, with the referenceCode in its message, ordered before the quote expires.',
  ],
  ['Money from elsewhere', 'that reaches the intermediary account with the referenceCode in its message in time.'],
] as const

/** What the operations on exchange do not say by themselves. */
export function exchangeGuide({ mode }: Pick<Place, 'mode'>): Guide {
  return {
    id: 'exchange',
    title: 'Paying in another currency',
    body: `<p>Money is exchanged where the receiver is paid in another currency than that of the account that pays. See first what the
receiver’s country needs: <a href="#getPaymentRequirement">getPaymentRequirement</a>. Ask whether an order would be taken:
<a href="#validateExchange">validateExchange</a>. Then ask for a price: <a href="#quoteExchange">quoteExchange</a>.</p>
<p><strong>Which amount you fix</strong> follows from its currency. In the receiver’s, the receiver gets exactly that, and
<code>costAmount</code> is what it costs. In the sender’s, with the other one in <code>to.currency</code>, the sender pays exactly
that, and <code>requestedAmount</code> is what the receiver gets. <code>exchangeRate</code> says what one unit of the receiver’s
currency costs in the sender’s; <code>markup</code>, by how many percent that is above the reference rate of the European Central
Bank.</p>
<p><strong>A quote is booked</strong> in one of three ways, once, and before <code>quoteExpiryTime</code>: two minutes when it is due
today, five otherwise. What nobody books costs nothing.</p>
${meanings(WAYS)}
<p><strong>When</strong>: <a href="#getExchangeCalendar">getExchangeCalendar</a> says whether orders are taken at this moment, and on
which days a payment may be due; <a href="#listCurrencies">listCurrencies</a>, how much of each currency is exchanged at once and
how far ahead. After 16:00 in Oslo the next bank day is the earliest.${mode === 'sandbox' ? SANDBOX : ''}</p>
<p><strong>What refuses it</strong> is told differently here than elsewhere. A body that cannot be read is a
<span class="status">400</span> with the first thing that keeps it from being read:</p>
${code('{ "code": "MissingField", "reason": "is required", "path": ".from.bic" }', 'json')}
${meanings(Object.entries(PARSING_MEANINGS))}
<p>Everything that is wrong with one that can be read is a <span class="status">422</span>, as ever. A company that may not pay abroad
is a <span class="status">403</span> in plain text.</p>`,
  }
}

const SANDBOX = html` When it is closed, the refusal says how to move the clock to when it opens.`
