/** Declares the commands after a restore of the database: `havn after-restore` and `havn reconcile`. */
import type { Command } from 'commander'
import type { AfterRestoreOptions } from '../operator/after-restore.ts'
import type { ReconcileOptions } from '../operator/reconcile.ts'
import { runOperatorCommand } from './run-operator-command.ts'

export function declareAfterRestore(command: Command): void {
  command
    .option('--to <time>', 'the point in time to which the database was restored')
    .option('--nothing-lost', 'after a failover to a replica that had everything: only records that')
    .addHelpText(
      'after',
      '\nRun it before a gateway or worker uses the database: payrolls in submission are held until operators have compared them with the bank, and new events get positions after those that partners have read. docs/operating/backups.md has all steps.',
    )
    .action((options: AfterRestoreOptions) =>
      runOperatorCommand(async (context, actor) =>
        (await import('../operator/after-restore.ts')).afterRestoreCommand(context, actor, options),
      ),
    )
}

export function declareReconcile(command: Command): void {
  command
    .requiredOption('--from <time>', 'a date or timestamp: where the lost time begins')
    .option('--to <time>', 'where it ends; now by default; a date is included')
    .option('--bank <bic>', 'only this bank')
    .option('--log <file...>', 'the logs of gateways and workers for that time; - for standard input')
    .option('--json', 'print the result as JSON')
    .addHelpText(
      'after',
      '\nEach order found becomes an operator task, once. Exits with 1 when an account could not be read. docs/operating/backups.md says when to use it.',
    )
    .action(async (typed: ReconcileOptions) => {
      const { withGatewayContext } = await import('../operator/with-gateway-context.ts')
      const { findOperator } = await import('../operator/find-operator.ts')
      await withGatewayContext(process.env, async (context) => {
        const { actor } = await findOperator(context, process.env)
        await (await import('../operator/reconcile.ts')).reconcileCommand({ context, actor }, typed)
      })
    })
}
