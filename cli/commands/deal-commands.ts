/** Declares `havn deal` and `havn ledger`: what operators see of exchanges, and what they decide of them. */
import { type Command, Option } from 'commander'
import { operate } from './operate.ts'

const NOTE = () => new Option('--note <text>', 'what was found and done; kept in the audit log').makeOptionMandatory()

/** Adds the commands to their group. */
export function addDealCommands(group: Command): void {
  const deals = () => import('../operator/deals.ts')
  group
    .command('list')
    .description('print exchanges and money at the provider that have not come to their end, oldest first')
    .action(() => operate(async (context) => (await deals()).printDeals(context)))
  group
    .command('show')
    .description('print one exchange: what became of it, its money, and what the ledger says')
    .argument('<deal>', "the deal's id")
    .action((id: string) => operate(async (context) => (await deals()).printDeal(context, id)))
  group
    .command('retry')
    .description('have the provider asked at once for what it has not done yet')
    .argument('<deal>', "the deal's id")
    .action((id: string) => operate(async (context, actor) => (await deals()).retry(context, actor, id)))
  group
    .command('break')
    .description('undo an exchange whose money will not come')
    .argument('<deal>', "the deal's id")
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      operate(async (context, actor) => (await deals()).breakTyped(context, { actor, note }, id)),
    )
  group
    .command('refunded')
    .description('note that the payer has what came back of a payout')
    .argument('<deal>', "the deal's id")
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      operate(async (context, actor) => (await deals()).refundedTyped(context, { actor, note }, id)),
    )
  group
    .command('send-back')
    .description('send money back that is held at the provider')
    .argument('<receipt>', "the money's id, as `havn deal list` prints it")
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      operate(async (context, actor) => (await deals()).sendBackTyped(context, { actor, note }, id)),
    )
  group
    .command('keep')
    .description('say that money at the provider which names no quote is our own')
    .argument('<receipt>', "the money's id, as `havn deal list` prints it")
    .addOption(NOTE())
    .action((id: string, { note }: { note: string }) =>
      operate(async (context, actor) => (await deals()).keepTyped(context, { actor, note }, id)),
    )
}

/** Adds the command to its group. */
export function addLedgerCommands(group: Command): void {
  group
    .command('check')
    .description('print what does not balance; ends with 1 when anything does not')
    .action(() => operate(async (context) => (await import('../operator/deals.ts')).printLedgerCheck(context)))
}
