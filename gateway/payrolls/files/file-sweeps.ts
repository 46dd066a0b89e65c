/** Sends files that wait, and looks for reports at banks that take files. */
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import { dueSweep } from '../../foundation/due-sweep.ts'
import type { Sweep } from '../../foundation/sweep.ts'
import { claimLook, endLook } from './bank-report-store.ts'
import { seeToFile } from './send-payment-file.ts'
import { takeReports } from './take-reports.ts'

/** Longer than ten thousand payouts take over a slow line. */
const LEASE_SECONDS = 600
const files = {
  table: 'payment_files',
  share: 'bic',
  name: 'payment files',
  column: 'due_at',
  time: 'business',
} as const

/** A part of what lies at least between two looks at a bank. */
const REPORTS_EVERY_MILLISECONDS = 1_000

/** The sweeps over files. */
export function fileSweeps(context: Context): readonly Sweep[] {
  return [
    dueSweep(context, { ...files, leaseSeconds: LEASE_SECONDS }, (key) => seeToFile(context, key)),
    {
      name: 'bank reports',
      time: 'wall',
      everyMilliseconds: REPORTS_EVERY_MILLISECONDS,
      nextDue: async () => null,
      run: lookerOf(context),
    },
  ]
}

/** Longer than a look can take: one that died comes again after it. */
const LOOK_LEASE = { seconds: 900 }

/** Each bank is looked at by one process at a time, as often as its profile says. */
function lookerOf(context: Context): () => Promise<number> {
  const nextByBic = new Map<string, Temporal.Instant>()
  return async () => {
    const now = context.clock.real()
    let taken = 0
    for (const bank of await context.banks.all()) {
      const product = context.banks.connectorOf(bank).files
      const isDue = Temporal.Instant.compare(nextByBic.get(bank.bic) ?? now, now) <= 0
      if (product === undefined || !isDue) {
        continue
      }
      const next = now.add({ seconds: bank.profile.pollSecondsMin })
      nextByBic.set(bank.bic, next)
      if (await claimLook(context.database, bank.bic, { now, next: now.add(LOOK_LEASE) })) {
        taken += await answered(context, bank.bic, () => takeReports(context, bank, product)).finally(
          async () => await endLook(context.database, bank.bic, next),
        )
      }
    }
    return taken
  }
}

/** How the bank does shows in the directory; one that cannot be reached keeps the others from nothing. */
async function answered({ banks, log }: Context, bic: string, look: () => Promise<number>): Promise<number> {
  try {
    const taken = await look()
    await banks.recordCall(bic, 'answered', 'others')
    return taken
  } catch (error) {
    if (!(error instanceof BankRefusal)) {
      throw error
    }
    await banks.recordCall(bic, 'failed', 'others')
    log.warn({ bic, refusal: error.kind }, 'what a bank has put out could not be read')
    return 0
  }
}
