/** Finds the submissions of a log that the database does not hold, asks their banks about them, and blocks their idempotency keys. */
import type { Bank } from '../../banks/connector/bank.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { BankCaller } from '../../banks/connector/connector.ts'
import { callBank } from '../../consents/call-bank.ts'
import { activeConsentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import { apiError } from '../../platform/http/errors/api-error.ts'
import { renderErrorResponse } from '../../platform/http/errors/render-error.ts'
import { storeLostOutcome } from '../../platform/http/idempotency/idempotency.ts'
import { newId } from '../../platform/ids.ts'
import { instructionOf } from '../instruction.ts'
import { listKnownBankRequests } from '../store/reconciliation-store.ts'
import type { SubmissionLog, UsedKey } from './read-submission-log.ts'

/** A submission that the database does not hold. */
export type LostSubmission = SubmissionLog['submissions'][number]

/** Returns the lost submissions, at one bank or at all, in the order of the log. */
export async function findLostSubmissions(
  { database }: Context,
  { submissions }: SubmissionLog,
  bic: string | undefined,
): Promise<readonly LostSubmission[]> {
  const wanted = submissions.filter(({ bank }) => bic === undefined || bank === bic)
  const lost: LostSubmission[] = []
  for (const [partnerId, ofPartner] of Map.groupBy(wanted, (submission) => submission.partnerId)) {
    const known = await listKnownBankRequests(database, partnerId, ofPartner)
    lost.push(...ofPartner.filter(({ bankRequestId }) => !known.has(bankRequestId)))
  }
  return lost
}

/** What the bank says of a lost order now: its own status, or why it says nothing. */
export async function askBankAboutOrder(context: Context, lost: LostSubmission): Promise<string> {
  const { bankPaymentId, consentId, partnerId } = lost
  if (bankPaymentId === null) {
    return 'unknown: no answer of the bank was logged'
  }
  const bank = await context.banks.find(lost.bank)
  const consent = await activeConsentOf(context, { partnerId, consentId })
  if (bank === undefined || consent?.status !== 'ACCEPTED') {
    return 'unknown: no consent is in force under which the bank can be asked'
  }
  try {
    return await callBank(context, { bank, consent, service: 'PIS', psu: null }, (caller) =>
      readStatus(context, bank, caller, bankPaymentId),
    )
  } catch (error) {
    if (error instanceof BankError) {
      return `unknown: the bank could not be asked (${error.kind})`
    }
    throw error
  }
}

/** The log does not name the product; a bank shows an order under its own product only. */
async function readStatus(context: Context, bank: Bank, caller: BankCaller, bankPaymentId: string): Promise<string> {
  const { domesticPayments, crossBorderPayments } = context.banks.connectorOf(bank)
  const order = { bankPaymentId, debtorBban: '', creditorBban: '', rail: 'account' } as const
  const [first, second] = [domesticPayments, crossBorderPayments].flatMap((product) => product ?? [])
  const read = async (product: NonNullable<typeof first>) =>
    (await product.read(caller, order, { signed: false })).bankStatus
  if (first === undefined) {
    return 'unknown: orders of this bank cannot be read'
  }
  try {
    return await read(first)
  } catch (error) {
    if (second === undefined || !(error instanceof BankError)) {
      throw error
    }
    return await read(second)
  }
}

const MESSAGE =
  'The order of this request was submitted to the bank before our database was restored, and is not submitted again. Ask ' +
  'us what became of it. If the bank does not hold it, order it again with a new Idempotency-Key'

/** Returns how many keys are blocked now; one that is in use again belongs to its new request. */
export async function blockLostKeys(
  { database, seal, clock, config }: Context,
  lost: readonly LostSubmission[],
  keyBySubject: ReadonlyMap<string, UsedKey>,
): Promise<number> {
  const instructions = lost.map(({ paymentId: id, payrollId = null }) => instructionOf({ id, payrollId }))
  let blocked = 0
  for (const [subjectId, { named }] of new Map(instructions.map((instruction) => [instruction.id, instruction]))) {
    const key = keyBySubject.get(subjectId)
    if (key !== undefined) {
      const error = apiError('conflict', MESSAGE, named)
      const answer = renderErrorResponse(error, { svcRequestId: newId(), baseUrl: config.baseUrl })
      const { partnerId, operation, idempotencyKey, fingerprint } = key
      const stored = { partnerId, operation, key: idempotencyKey, fingerprint }
      blocked += (await storeLostOutcome({ pool: database.pool, seal, clock }, stored, answer)) ? 1 : 0
    }
  }
  return blocked
}
