/** `havn deal` and `havn ledger`: lists and resolves open FX deals, and checks that the ledger balances. */

import { type Command, Option } from 'commander'
import { getDealDetails, listOpenDealsAndFunds } from '../../gateway/fx/deals/get-deal.ts'
import { checkLedger } from '../../gateway/fx/ledger/ledger.ts'
import {
  cancelDealByOperator,
  type OperatorDecision,
  recordAsOwnFunds,
  recordRefund,
  retryDealByOperator,
  returnFundsByOperator,
} from '../../gateway/fx/operator-actions.ts'
import type { InboundFunds } from '../../gateway/fx/store/inbound-funds.ts'
import { formatAmount, type Money } from '../../gateway/platform/money.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { factLines, minutesSince, type Table } from './print-table.ts'
import { type Given, operatorAction, tableCommand } from './run-operator-command.ts'
import { typedId } from './typed-values.ts'

/** The deals without a final status, and the funds. */
async function dealTable({ context: { database, clock } }: Given): Promise<Table> {
  const { deals, receipts } = await listOpenDealsAndFunds(database)
  const age = (since: Temporal.Instant) => minutesSince(since, clock.now())
  const ofDeals = deals.map((deal) => ({
    ...{ id: deal.id, type: 'deal', state: deal.state, since: age(deal.changedAt), tries: deal.attempts },
    ...{ paid: formatMoney(deal.cost), bought: formatMoney(deal.quote.buy), 'belongs to': deal.paymentId },
  }))
  const ofFunds = receipts.map((funds) => ({
    ...{ id: funds.id, type: 'money', state: stateOf(funds), since: age(funds.changedAt), tries: funds.attempts },
    ...{ paid: formatMoney(funds.amount), bought: null, 'belongs to': funds.dealId },
  }))
  return { rows: [...ofDeals, ...ofFunds], whenEmpty: 'No open FX deals.' }
}

async function printDeal({ context }: Given, id: string): Promise<void> {
  const { deal, events, receipts, lines } = await getDealDetails(context, idOf(id))
  const facts = factLines([
    ['state', deal.reason === null ? deal.state : `${deal.state}: ${deal.reason}`],
    ['partner', deal.partnerId],
    ['payment', deal.paymentId ?? 'none: booked by an external payment'],
    ['quote', deal.quoteId],
    ['reference', deal.referenceCode],
    ['provider', deal.provider],
    ['conversion', deal.conversionId ?? '-'],
    ['payout', deal.payoutId ?? '-'],
    ['the payer pays', formatMoney(deal.cost)],
    ['sold at the provider', formatMoney(deal.quote.sell)],
    ['the receiver gets', formatMoney(deal.quote.buy)],
    ['to be signed until', deal.deadline.toString()],
    ['tries', deal.failingSince === null ? '-' : `${deal.attempts} since ${deal.failingSince}`],
  ])
  const text = [
    ...facts,
    '',
    ...events.map(({ at, event, detail }) => `${at}  ${event}  ${JSON.stringify(detail)}`),
    ...receipts.map((receipt) => `money ${receipt.id}  ${formatMoney(receipt.amount)}  ${stateOf(receipt)}`),
    '',
    ...lines.map((line) => `${line.at}  ${line.event}  ${line.account}  ${formatMoney(line)}`),
  ]
  console.log(text.join('\n'))
}

/** A decision of an operator on a deal or on funds, which returns what is printed. */
type DecisionCommand = {
  readonly name: string
  readonly alias?: string
  readonly description: string
  readonly of: 'deal' | 'receipt'
  readonly decide: (context: ProgramContext, decision: OperatorDecision, id: string) => Promise<string>
}

const ID_OF = { deal: "the deal's id", receipt: 'the id of the inbound funds, as printed by `havn deal list`' } as const

const DECISIONS: readonly DecisionCommand[] = [
  {
    name: 'cancel',
    alias: 'break',
    description: 'cancel an FX deal whose funds will not arrive',
    of: 'deal',
    decide: async (...decided) => {
      await cancelDealByOperator(...decided)
      return 'The deal is cancelled; the worker cancels it at the provider.'
    },
  },
  {
    name: 'refunded',
    description: 'record that the returned payout was refunded to the payer',
    of: 'deal',
    decide: async (...decided) => {
      const { returned } = await recordRefund(...decided)
      return `Recorded: ${returned === null ? 'the payout' : formatMoney(returned)} was refunded to the payer.`
    },
  },
  {
    name: 'send-back',
    description: 'return funds that are held at the provider',
    of: 'receipt',
    decide: async (...decided) => {
      await returnFundsByOperator(...decided)
      return 'The worker returns the funds now.'
    },
  },
  {
    name: 'keep',
    description: 'record unmatched funds at the provider as our own',
    of: 'receipt',
    decide: async (...decided) => {
      await recordAsOwnFunds(...decided)
      return 'Recorded: the funds are our own.'
    },
  },
]

/** Imbalances; the command then exits with 1. */
async function imbalanceTable({ context }: Given): Promise<Table> {
  const rows = (await checkLedger(context.database)).map(({ id, partnerId, what, currency, minor }) => {
    return { id, partner: partnerId, amount: formatMoney({ minor, currency }), type: what }
  })
  process.exitCode = rows.length === 0 ? 0 : 1
  return { rows, whenEmpty: 'The ledger balances.' }
}

function idOf(text: string): string {
  return typedId(text, 'a deal id', 'havn deal list')
}

function requireNote({ actor, note }: OperatorDecision): OperatorDecision {
  if (note.trim() === '') {
    throw new Error('The note is empty: enter what was found and done')
  }
  return { actor, note: note.trim() }
}

function stateOf({ state, reason }: InboundFunds): string {
  return reason === null ? state : `${state} (${reason})`
}

function formatMoney(money: Money): string {
  return `${formatAmount(money)} ${money.currency}`
}

export function addDealCommands(group: Command): void {
  const description = 'print open FX deals and inbound funds at the provider, oldest first'
  tableCommand(group.command('list').description(description), dealTable)
  group
    .command('show')
    .description('print one FX deal: its state, its funds and its ledger entries')
    .argument('<deal>', "the deal's id")
    .action(operatorAction(printDeal))
  group
    .command('retry')
    .description('retry the open requests to the provider now')
    .argument('<deal>', "the deal's id")
    .action(
      operatorAction(async ({ context, actor }, id: string) => {
        const { state } = await retryDealByOperator(context, actor, idOf(id))
        console.log(`The deal is ${state}; the worker retries it now.`)
      }),
    )
  for (const decision of DECISIONS) {
    addDecisionCommand(group, decision)
  }
}

function addDecisionCommand(group: Command, { name, alias, description, of, decide }: DecisionCommand): void {
  const command = group
    .command(name)
    .description(description)
    .argument(`<${of}>`, ID_OF[of])
    .addOption(new Option('--note <text>', 'what was found and done; recorded in the audit log').makeOptionMandatory())
    .action(
      operatorAction(async ({ context, actor }, id: string, { note }: { readonly note: string }) =>
        console.log(await decide(context, requireNote({ actor, note }), idOf(id))),
      ),
    )
  if (alias !== undefined) {
    command.alias(alias)
  }
}

export function addLedgerCommands(group: Command): void {
  const description = 'print ledger accounts that do not balance; exits with 1 if there are any'
  tableCommand(group.command('check').description(description), imbalanceTable)
}
