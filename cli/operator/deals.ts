/** `havn deal` and `havn ledger`: exchanges that wait for something, what is decided of them, and whether all balances. */

import {
  breakByHand,
  type Decision,
  keepAsOwn,
  noteRefunded,
  retryDeal,
  sendBackByHand,
} from '../../gateway/fx/decide-deal.ts'
import type { Receipt } from '../../gateway/fx/funding/inbound-funds.ts'
import { checkLedger } from '../../gateway/fx/ledger/check-ledger.ts'
import { openDeals, showDeal } from '../../gateway/fx/show-deals.ts'
import { readClock } from '../../gateway/platform/database/business-clock-store.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { type Money, printAmount } from '../../gateway/platform/money.ts'
import type { Surroundings } from './operator-context.ts'
import { tableOf } from './print-table.ts'

/** Prints what has not come to its end. */
export async function printDeals({ database, clock }: Surroundings): Promise<void> {
  await readClock(database, clock)
  const { deals, receipts } = await openDeals(database)
  const age = (since: Temporal.Instant) => `${Math.max(0, Math.floor(clock.now().since(since).total('minutes')))} min`
  const rows = [
    ...deals.map((deal) => [
      ...[deal.id, 'deal', deal.state, age(deal.changedAt), String(deal.attempts)],
      ...[shown(deal.cost), shown(deal.quote.buy), deal.paymentId ?? '-'],
    ]),
    ...receipts.map((receipt) => [
      ...[receipt.id, 'money', stateOf(receipt), age(receipt.changedAt), String(receipt.attempts)],
      ...[shown(receipt.amount), '-', receipt.dealId ?? '-'],
    ]),
  ]
  const headings = ['id', 'what', 'state', 'since', 'tries', 'paid', 'bought', 'belongs to']
  console.log(tableOf(headings, rows, 'Every exchange has come to its end.'))
}

/** Prints one with all that became of it. */
export async function printDeal({ database }: Surroundings, id: string): Promise<void> {
  const { deal, events, receipts, lines } = await showDeal(database, idOf(id))
  const known = [
    ['state', deal.reason === null ? deal.state : `${deal.state}: ${deal.reason}`],
    ['partner', deal.partnerId],
    ['payment', deal.paymentId ?? 'none: booked by money from outside'],
    ['quote', deal.quoteId],
    ['reference', deal.referenceCode],
    ['provider', deal.provider],
    ['conversion', deal.conversionId ?? '-'],
    ['payout', deal.payoutId ?? '-'],
    ['the payer pays', shown(deal.cost)],
    ['sold at the provider', shown(deal.quote.sell)],
    ['the receiver gets', shown(deal.quote.buy)],
    ['to be signed until', deal.deadline.toString()],
    ['tries', deal.failingSince === null ? '-' : `${deal.attempts} since ${deal.failingSince}`],
  ]
  const width = Math.max(...known.map(([name = '']) => name.length))
  const text = [
    ...known.map(([name = '', value = '']) => `${name.padEnd(width)}  ${value}`),
    '',
    ...events.map(({ at, event, detail }) => `${at}  ${event}  ${JSON.stringify(detail)}`),
    ...receipts.map((receipt) => `money ${receipt.id}  ${shown(receipt.amount)}  ${stateOf(receipt)}`),
    '',
    ...lines.map((line) => `${line.at}  ${line.event}  ${line.account}  ${shown(line)}`),
  ]
  console.log(text.join('\n'))
}

/** Has the provider asked at once. */
export async function retry(surroundings: Surroundings, actor: string, id: string): Promise<void> {
  await readClock(surroundings.database, surroundings.clock)
  const { state } = await retryDeal(surroundings, actor, idOf(id))
  console.log(`The deal is ${state}; the worker asks its provider now.`)
}

/** Breaks a deal. */
export async function breakTyped(surroundings: Surroundings, decision: Decision, id: string): Promise<void> {
  await readClock(surroundings.database, surroundings.clock)
  await breakByHand(surroundings, noted(decision), idOf(id))
  console.log('The deal is broken; the worker has the provider undo it.')
}

/** Notes a refund. */
export async function refundedTyped(surroundings: Surroundings, decision: Decision, id: string): Promise<void> {
  await readClock(surroundings.database, surroundings.clock)
  const { returned } = await noteRefunded(surroundings, noted(decision), idOf(id))
  console.log(`Noted: the payer has ${returned === null ? 'it' : shown(returned)} again.`)
}

/** Sends money back. */
export async function sendBackTyped(surroundings: Surroundings, decision: Decision, id: string): Promise<void> {
  await readClock(surroundings.database, surroundings.clock)
  await sendBackByHand(surroundings, noted(decision), idOf(id))
  console.log('The worker has the provider send it back now.')
}

/** Takes money for our own. */
export async function keepTyped(surroundings: Surroundings, decision: Decision, id: string): Promise<void> {
  await readClock(surroundings.database, surroundings.clock)
  await keepAsOwn(surroundings, noted(decision), idOf(id))
  console.log('Noted: the money is our own.')
}

/** Prints what does not balance, and has the command end with 1 then. */
export async function printLedgerCheck({ database }: Surroundings): Promise<void> {
  const findings = await checkLedger(database)
  const rows = findings.map(({ id, partnerId, what, currency, minor }) => [
    ...[id, partnerId, shown({ minor, currency }), what],
  ])
  console.log(tableOf(['id', 'partner', 'amount', 'what'], rows, 'The ledger balances.'))
  process.exitCode = rows.length === 0 ? 0 : 1
}

function idOf(text: string): string {
  if (!isId(text)) {
    throw new Error(`${text} is no id of a deal; havn deal list prints them`)
  }
  return text
}

function noted({ actor, note }: Decision): Decision {
  if (note.trim() === '') {
    throw new Error('The note is empty: say what was found and done')
  }
  return { actor, note: note.trim() }
}

function stateOf({ state, reason }: Receipt): string {
  return reason === null ? state : `${state} (${reason})`
}

function shown(money: Money): string {
  return `${printAmount(money)} ${money.currency}`
}
