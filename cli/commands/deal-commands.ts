/** Declares the commands of `havn deal` and `havn ledger`: show FX deals and resolve them. */
import { type Command, Option } from 'commander'
import type { TableOptions } from '../operator/print-table.ts'
import { jsonOption, runOperatorCommand } from './run-operator-command.ts'

const NOTE = () =>
  new Option('--note <text>', 'what was found and done; recorded in the audit log').makeOptionMandatory()

export function addDealCommands(group: Command): void {
  const deals = () => import('../operator/deals.ts')
  group
    .command('list')
    .description('print open FX deals and inbound funds at the provider, oldest first')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await deals()).printDeals(context, options)),
    )
  group
    .command('show')
    .description('print one FX deal: its state, its funds and its ledger entries')
    .argument('<deal>', "the deal's id")
    .action((id: string) => runOperatorCommand(async (context) => (await deals()).printDeal(context, id)))
  group
    .command('retry')
    .description('retry the open requests to the provider now')
    .argument('<deal>', "the deal's id")
    .action((id: string) => runOperatorCommand(async (context, actor) => (await deals()).retry(context, actor, id)))
  group
    .command('break')
    .description('cancel an FX deal whose funds will not arrive')
    .argument('<deal>', "the deal's id")
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      runOperatorCommand(async (context, actor) => (await deals()).failDealCommand(context, { actor, note }, id)),
    )
  group
    .command('refunded')
    .description('record that the returned payout was refunded to the payer')
    .argument('<deal>', "the deal's id")
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      runOperatorCommand(async (context, actor) => (await deals()).recordRefundCommand(context, { actor, note }, id)),
    )
  group
    .command('send-back')
    .description('return funds that are held at the provider')
    .argument('<receipt>', 'the id of the inbound funds, as printed by `havn deal list`')
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      runOperatorCommand(async (context, actor) => (await deals()).returnFundsCommand(context, { actor, note }, id)),
    )
  group
    .command('keep')
    .description('record unmatched funds at the provider as our own')
    .argument('<receipt>', 'the id of the inbound funds, as printed by `havn deal list`')
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      runOperatorCommand(async (context, actor) => (await deals()).recordOwnFundsCommand(context, { actor, note }, id)),
    )
}

export function addLedgerCommands(group: Command): void {
  group
    .command('check')
    .description('print ledger accounts that do not balance; exits with 1 if there are any')
    .addOption(jsonOption())
    .action((options: TableOptions) =>
      runOperatorCommand(async (context) => (await import('../operator/deals.ts')).printLedgerCheck(context, options)),
    )
}
