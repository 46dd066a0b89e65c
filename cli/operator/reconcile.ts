/** `havn reconcile` and `havn after-restore`: find orders that were lost, and prepare a restored database. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import type { Context } from '../../gateway/context.ts'
import { recordFailover } from '../../gateway/operators/audit-log.ts'
import { reconcileWithBanks } from '../../gateway/orders/reconcile/reconcile-with-banks.ts'
import type { Reconciliation, ReconciliationWindow } from '../../gateway/orders/reconcile/reconciliation.ts'
import { readTimeline } from '../../gateway/platform/database/timeline.ts'
import { parseEndParameter, parseTimeParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import type { ProgramContext } from '../../gateway/platform/program-context.ts'
import { prepareRestoredDatabase } from '../../gateway/prepare-restored-database.ts'
import { tableOf } from './print-table.ts'
import { type GatewayGiven, gatewayAction, operatorAction } from './run-operator-command.ts'
import { typedTime } from './typed-values.ts'

type ReconcileOptions = {
  readonly from: string
  readonly to?: string
  readonly bank?: string
  readonly log?: readonly string[]
  readonly json?: true
}

/** Exits with 1 when an account or a line of the log could not be read: then the result is not complete. */
async function reconcile(
  { context, actor }: GatewayGiven,
  { from, to, bank, log, json }: ReconcileOptions,
): Promise<void> {
  const window = windowOf(context, from, to)
  const found = bank === undefined ? undefined : await context.banks.find(bank)
  if (bank !== undefined && found === undefined) {
    throw new Error(`${bank} is not in the directory of banks; havn bank list prints it`)
  }
  const done = await reconcileWithBanks(context, {
    window,
    actor,
    ...(found === undefined ? {} : { bic: found.bic }),
    ...(log === undefined ? {} : { log: linesOf(log) }),
  })
  console.log(json === true ? JSON.stringify(done, null, 2) : textOf(done))
  if (done.unreadableLines > 0 || done.accounts.some(({ outcome }) => outcome === 'failed')) {
    process.exitCode = 1
  }
}

function windowOf({ clock }: Context, from: string, to: string | undefined): ReconciliationWindow {
  const start = typedTime('--from', from)
  const end = to === undefined ? clock.now() : typedTime('--to', to, parseEndParameter)
  if (Temporal.Instant.compare(start, end) >= 0) {
    throw new Error('--to must be after --from')
  }
  return { from: start, to: end }
}

async function* linesOf(paths: readonly string[]): AsyncIterable<string> {
  for (const path of paths) {
    const input = path === '-' ? process.stdin : createReadStream(path)
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
  }
}

function textOf({ accounts, orders, keysBlocked, ...log }: Reconciliation): string {
  const accountRows = accounts.map(({ bank, organisationNumber, account, outcome, debits, text }) => {
    return { bank, company: organisationNumber, account, outcome, debits, text }
  })
  const orderRows = orders.map(({ bank, kind, subjectId, detail, isNew }) => ({
    ...{ bank, kind, subject: subjectId, id: String(detail['endToEndId'] ?? detail['payrollId'] ?? '-') },
    'at the bank': String(detail['bankStatus'] ?? detail['bookedOn'] ?? '-'),
    'operator task': isNew ? 'new task' : 'task exists',
  }))
  return [
    tableOf({ rows: accountRows, whenEmpty: 'No account to compare.' }),
    log.submissionsInLog === null
      ? 'No log was read: orders that have not been debited yet cannot be found. Give the logs of the gateways and workers with --log.'
      : `${log.submissionsInLog} submissions in the log. Keys of lost orders that are answered with 409 now: ${keysBlocked}.`,
    log.submissionsInLog === 0
      ? 'If there were orders, the log is of another time, compressed, or of programs with HAVN_LOG_LEVEL above info.'
      : [],
    log.unreadableLines > 0
      ? `${log.unreadableLines} lines of the log name an order and cannot be read: each must have the JSON of the program, unchanged.`
      : [],
    tableOf({ rows: orderRows, whenEmpty: 'Nothing was found that the database does not hold.' }),
  ]
    .flat()
    .join('\n\n')
}

export function declareAfterRestore(command: Command): void {
  command
    .option('--to <time>', 'the point in time to which the database was restored')
    .option('--nothing-lost', 'after a failover to a replica that had everything: only records that')
    .addHelpText(
      'after',
      '\nRun it before a gateway or worker uses the database: payrolls in submission are held until operators have compared them with the bank, and new events get positions after those that partners have read. docs/operating/backups.md has all steps.',
    )
    .action(
      operatorAction(async ({ context, actor }, { to, nothingLost }: AfterRestoreOptions) => {
        if ((to === undefined) === (nothingLost === undefined)) {
          throw new Error('Give either --to, the point in time of a restore, or --nothing-lost after a failover')
        }
        await (to === undefined ? recordWithoutLoss(context, actor) : prepare(context, actor, to))
      }),
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
      '\nEach order found becomes an operator task, once. Exits with 1 when an account or a line of the log could not be read. docs/operating/backups.md says when to use it.',
    )
    .action(gatewayAction(reconcile))
}

/** What the operator says became of the time after the point of the restore; one of the two. */
type AfterRestoreOptions = { readonly to?: string; readonly nothingLost?: true }

async function recordWithoutLoss(context: ProgramContext, actor: string): Promise<void> {
  const timeline = await readTimeline(context.database)
  if (timeline === null) {
    throw new Error('The server does not say on which timeline it is: name the primary in DATABASE_URL')
  }
  await recordFailover(context, { timeline, actor })
  console.log(`Recorded: timeline ${timeline.number} continues the one before without a loss. Nothing was changed.`)
}

async function prepare(context: ProgramContext, actor: string, to: string): Promise<void> {
  const restoredTo = parseTimeParameter(to, 'UTC')
  if (restoredTo === undefined || Temporal.Instant.compare(restoredTo, context.clock.real()) > 0) {
    throw new Error(`--to must be a day or an instant in the past, such as 2026-11-23T09:42:00Z, not ${to}`)
  }
  const { payrollsHeld, streamsAdvanced } = await prepareRestoredDatabase(context, { restoredTo, actor })
  console.log(
    `${payrollsHeld} payrolls are held, each with an operator task. The events of ${streamsAdvanced} partners continue at new positions.\n` +
      'Start workers now, then run havn reconcile with the logs of the lost time. Start gateways after that: before it, a partner that repeats a lost request would order twice.',
  )
}
