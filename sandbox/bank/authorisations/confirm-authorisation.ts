/** Takes the code that a browser brought back to the third party; only with it does a signature count. */
import { timingSafeEqual } from 'node:crypto'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { Notice } from '../push-notifications.ts'
import { refuse, Xs2aRefusal } from '../refusal.ts'
import { type Authorisation, isEnded, isUnconfirmed } from './authorisation.ts'
import { updateAuthorisation } from './authorisation-store.ts'
import { carryOut, possibleOutcome } from './decide-authorisation.ts'
import { type LockedAuthorisation, lockWithTarget } from './lock-sca-target.ts'

/** After so many wrong codes the signing has failed. */
const FAILURES_MAX = 3

export type Confirmed = 'finalised' | 'failed'
type Verdict = { readonly scaStatus: Confirmed | Xs2aRefusal; readonly notices: readonly Notice[] }

/** Confirms it; a code that was right before is right again, so that an answer may get lost. */
export async function confirmAuthorisation(
  context: BankContext,
  found: Authorisation,
  code: string,
): Promise<Confirmed> {
  const { scaStatus, notices } = await context.database.query.transaction().execute(async (transaction) => {
    const locked = await lockWithTarget(transaction, found)
    if (locked === undefined) {
      throw refuse(403, 'RESOURCE_UNKNOWN', 'The bank knows no such authorisation')
    }
    return await judge(context, transaction, locked, code)
  })
  context.push.send(notices)
  if (scaStatus instanceof Xs2aRefusal) {
    throw scaStatus
  }
  return scaStatus
}

async function judge(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
  code: string,
): Promise<Verdict> {
  const { authorisation } = locked
  const isRight = isSame(code, authorisation.confirmation_code)
  if (isEnded(authorisation) && isRight) {
    return { scaStatus: authorisation.outcome === 'approved' ? 'finalised' : 'failed', notices: [] }
  }
  if (!isUnconfirmed(authorisation)) {
    throw refuse(409, 'STATUS_INVALID', 'The authorisation waits for no confirmation code')
  }
  if (isRight) {
    const outcome = possibleOutcome(context, locked, 'approve')
    const notices = await carryOut(context, transaction, locked, outcome)
    return { scaStatus: outcome === 'approved' ? 'finalised' : 'failed', notices }
  }
  return await countFailure(context, transaction, locked)
}

/** A refusal is returned, not thrown: what is counted must stay. */
async function countFailure(
  context: BankContext,
  transaction: BankTransaction,
  locked: LockedAuthorisation,
): Promise<Verdict> {
  const failures = locked.authorisation.confirmation_failures + 1
  await updateAuthorisation(transaction, locked.authorisation.id, { confirmation_failures: failures })
  if (failures < FAILURES_MAX) {
    const text = `The confirmation code is wrong; ${FAILURES_MAX - failures} more are looked at`
    return { scaStatus: refuse(400, 'SCA_INVALID', text, 'confirmationCode'), notices: [] }
  }
  return { scaStatus: 'failed', notices: await carryOut(context, transaction, locked, 'unconfirmed') }
}

function isSame(given: string, kept: string | null): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(kept ?? '')]
  return kept !== null && one.length === other.length && timingSafeEqual(one, other)
}
