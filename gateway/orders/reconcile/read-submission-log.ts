/** Reads the lines of the structured log that name submissions: the log outlives what the database has lost. */
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { KEY_USED } from '../../platform/http/idempotency/idempotency.ts'
import { isId } from '../../platform/ids.ts'
import { parseOptionalJson } from '../../platform/parse-json.ts'
import { LoggedSubmission, LoggedSubmissionEnd, SUBMISSION_ENDED, SUBMITTED } from '../submit/submit-order.ts'
import type { ReconciliationWindow } from './reconciliation.ts'

const UsedKey = Type.Object({
  msg: Type.Literal(KEY_USED),
  partnerId: Type.String(),
  operation: Type.String(),
  idempotencyKey: Type.String(),
  fingerprint: Type.String(),
  subjectId: Type.String(),
})

/** An idempotency key with what its request created: a payment or a payroll. */
export type UsedKey = Static<typeof UsedKey>

/** The submissions of a window by their request to the bank; those that their bank has rejected are left out. */
export type SubmissionLog = {
  readonly submissions: readonly (LoggedSubmission & { readonly bankPaymentId: string | null })[]
  readonly keyBySubject: ReadonlyMap<string, UsedKey>
  /** How many lines have one of the messages, and cannot be read. */
  readonly unreadableLines: number
}

/** The messages that matter; other lines need no parsing. */
const MESSAGES = [SUBMITTED, SUBMISSION_ENDED, KEY_USED]

/** Lines of other programs, and those with other messages, are skipped. */
export async function readSubmissionLog(
  lines: AsyncIterable<string>,
  { from, to }: ReconciliationWindow,
): Promise<SubmissionLog> {
  const submissions = new Map<string, LoggedSubmission>()
  const ends = new Map<string, LoggedSubmissionEnd>()
  const keyBySubject = new Map<string, UsedKey>()
  let unreadableLines = 0
  for await (const line of lines) {
    if (!MESSAGES.some((message) => line.includes(message))) {
      continue
    }
    // What collects logs puts a time and a name before a line.
    const read = parseOptionalJson(line.slice(line.indexOf('{')))
    if (Value.Check(LoggedSubmission, read)) {
      if (isWithin(read.time, { from, to })) {
        submissions.set(read.bankRequestId, read)
      }
    } else if (Value.Check(LoggedSubmissionEnd, read)) {
      ends.set(read.bankRequestId, read)
    } else if (Value.Check(UsedKey, read) && isId(read.partnerId)) {
      keyBySubject.set(read.subjectId, read)
    } else {
      unreadableLines += 1
    }
  }
  const answered = [...submissions.values()].map((submission) => ({
    submission,
    end: ends.get(submission.bankRequestId),
  }))
  return {
    keyBySubject,
    unreadableLines,
    submissions: answered
      .filter(({ end }) => end?.outcome !== 'rejected')
      .map(({ submission, end }) => ({ ...submission, bankPaymentId: end?.bankPaymentId ?? null })),
  }
}

function isWithin(time: string, { from, to }: ReconciliationWindow): boolean {
  try {
    const at = Temporal.Instant.from(time)
    return Temporal.Instant.compare(at, from) >= 0 && Temporal.Instant.compare(at, to) < 0
  } catch {
    return false
  }
}
