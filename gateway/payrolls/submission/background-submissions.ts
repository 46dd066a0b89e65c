/** Runs the submissions of payrolls in the background of this process, with a concurrency limit per bank. */
import { type BulkheadPolicy, bulkhead } from 'cockatiel'
import type { Context } from '../../context.ts'

/** Leaves capacity of the bank's rate limit for waiting users. */
const ORDERS_PER_BANK_AT_ONCE = 8

/** Submits one payroll; `stopping` is aborted when no new order may be submitted. */
type SubmitInBackground = (stopping: AbortSignal) => Promise<void>

export type BackgroundSubmissions = {
  /** Starts unless this process is already submitting this payroll. */
  begin(payrollId: string, submit: SubmitInBackground): void
  /** Runs a call when the concurrency limit of the bank permits it. */
  within<Result>(bic: string, call: () => Promise<Result>): Promise<Result>
  /** Starts nothing more and waits for running submissions. */
  end(): Promise<void>
}

const backgroundSubmissionsByContext = new WeakMap<Context, BackgroundSubmissions>()

/** The background submissions of the process to which the context belongs. */
export function backgroundSubmissionsOf(context: Context): BackgroundSubmissions {
  const submissions = backgroundSubmissionsByContext.get(context) ?? openBackgroundSubmissions(context)
  backgroundSubmissionsByContext.set(context, submissions)
  return submissions
}

function openBackgroundSubmissions({ log }: Pick<Context, 'log'>): BackgroundSubmissions {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  const bulkheads = new Map<string, BulkheadPolicy>()
  return {
    begin: (payrollId, submit) => {
      if (stopping.signal.aborted || running.has(payrollId)) {
        return
      }
      const submission = submit(stopping.signal)
        .catch((error: unknown) => log.error({ payrollId, error }, 'submitting a payroll failed'))
        .finally(() => running.delete(payrollId))
      running.set(payrollId, submission)
    },
    within: async (bic, call) => {
      const atBank = bulkheads.get(bic) ?? bulkhead(ORDERS_PER_BANK_AT_ONCE, Number.POSITIVE_INFINITY)
      bulkheads.set(bic, atBank)
      return await atBank.execute(call)
    },
    end: async () => {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
