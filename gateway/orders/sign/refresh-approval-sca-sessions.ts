/** Refreshes the approvals of a payment that users may be signing at the bank, and ends those that have expired. */

import { reloadScaSession } from '../../authorisations/find-sca-sessions.ts'
import { completeScaSession, refreshScaSession } from '../../authorisations/refresh-sca-session.ts'
import { findLateSignature } from '../../authorisations/resume-sca-session.ts'
import { openScaStep, type ScaSession } from '../../authorisations/sca-session.ts'
import { isOver } from '../../authorisations/sca-session-state.ts'
import { BankError } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import type { Payment } from '../payment.ts'
import { approvalScaSubject } from './approval-sca-subject.ts'
import { scaSessionsOf } from './supersede-sca-sessions.ts'

/** Returns false if the bank did not report the state of one of them, which may be signed. */
export async function refreshApprovalScaSessions(context: Context, payment: Payment): Promise<boolean> {
  const open = await scaSessionsOf(context, payment.partnerId, [payment], 'open')
  const sessions = open.filter(({ kind }) => kind === 'approval')
  if (!(await endExpiredWaiting(context, sessions))) {
    return false
  }
  const started = sessions.filter(({ status }) => status !== 'waiting')
  const ended = await scaSessionsOf(context, payment.partnerId, [payment], 'signable late')
  try {
    for (const session of ended.filter(({ kind }) => kind === 'approval')) {
      await findLateSignature(context, approvalScaSubject, session)
    }
    for (const session of started) {
      await refreshScaSession(context, approvalScaSubject, session)
    }
    return !(await isAnyOutcomeMissing(context, started))
  } catch (error) {
    if (error instanceof BankError) {
      context.log.warn({ paymentId: payment.id, errorKind: error.kind }, 'reading an approval at its bank failed')
      return false
    }
    throw error
  }
}

/** Ends those that expired before a user was sent to the bank; returns false if one was sent there at this moment. */
async function endExpiredWaiting(context: Context, sessions: readonly ScaSession[]): Promise<boolean> {
  const expired = sessions.filter((session) => session.status === 'waiting' && isOver(context, session))
  const ended = await Promise.all(
    expired.map((session) => completeScaSession(context, approvalScaSubject, session, 'cancelled')),
  )
  return ended.every((session) => session !== undefined)
}

/** A session that has ended with an open step has expired here; its state at the bank is unknown. */
async function isAnyOutcomeMissing(context: Context, started: readonly ScaSession[]): Promise<boolean> {
  const reloaded = await Promise.all(started.map((session) => reloadScaSession(context, session)))
  return reloaded.some((session) => session.status === 'ended' && openScaStep(session) !== undefined)
}
