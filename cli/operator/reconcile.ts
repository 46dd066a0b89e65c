/** `havn reconcile`: compares banks and the log with the database, and raises operator tasks for lost orders. */

import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Context } from '../../gateway/context.ts'
import { reconcileWithBanks } from '../../gateway/orders/reconcile/reconcile-with-banks.ts'
import type { Reconciliation, ReconciliationWindow } from '../../gateway/orders/reconcile/reconciliation.ts'
import { parseEndParameter, parseTimeParameter } from '../../gateway/platform/http/parse-time-parameter.ts'
import { tableOf } from './print-table.ts'

export type ReconcileOptions = {
  readonly from: string
  readonly to?: string
  readonly bank?: string
  readonly log?: readonly string[]
  readonly json?: true
}

/** Exits with 1 when an account could not be read: then the result is not complete. */
export async function reconcileCommand(
  { context, actor }: { readonly context: Context; readonly actor: string },
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
  if (done.accounts.some(({ outcome }) => outcome === 'failed')) {
    process.exitCode = 1
  }
}

function windowOf({ clock }: Context, from: string, to: string | undefined): ReconciliationWindow {
  const start = parseTimeParameter(from, 'UTC')
  const end = to === undefined ? clock.now() : parseEndParameter(to, 'UTC')
  const wrong = start === undefined ? ['from', from] : end === undefined ? ['to', to] : []
  if (start === undefined || end === undefined) {
    throw new Error(`--${wrong[0]} must be a day or an instant, such as 2026-11-23T09:00:00Z, not ${wrong[1]}`)
  }
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

function textOf({ accounts, orders, submissionsInLog, keysBlocked }: Reconciliation): string {
  const accountRows = accounts.map(({ bank, organisationNumber, account, outcome, debits, text }) => [
    ...[bank, organisationNumber, account, outcome, String(debits), text ?? '-'],
  ])
  const orderRows = orders.map(({ bank, kind, subjectId, detail, isNew }) => [
    ...[bank, kind, subjectId, String(detail['endToEndId'] ?? detail['payrollId'] ?? '-')],
    ...[String(detail['bankStatus'] ?? detail['bookedOn'] ?? '-'), isNew ? 'new task' : 'task exists'],
  ])
  return [
    tableOf(['bank', 'company', 'account', 'outcome', 'debits', 'text'], accountRows, 'No account to compare.'),
    submissionsInLog === null
      ? 'No log was read: orders that have not been debited yet cannot be found. Give the logs of the gateways and workers with --log.'
      : `${submissionsInLog} submissions in the log. Keys of lost orders that are answered with 409 now: ${keysBlocked}.`,
    tableOf(
      ['bank', 'kind', 'subject', 'id', 'at the bank', 'operator task'],
      orderRows,
      'Nothing was found that the database does not hold.',
    ),
  ].join('\n\n')
}
