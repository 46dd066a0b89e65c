/** Resumes an SCA session without a browser: polls it, renews expired codes, starts the next step. */
import type { Context } from '../context.ts'
import { findLateSignature } from './authorisation/find-late-signature.ts'
import { startAuthorisationUnderLease } from './authorisation/start-authorisation-under-lease.ts'
import { refreshScaSession } from './refresh-sca-session.ts'
import { currentScaStep, type ScaSession, type ScaSubject } from './sca-session.ts'
import { recordScaSessionPolled } from './store/sca-session-store.ts'

/** Poll delay after a new code. */
const READ_AFTER = { seconds: 3 }

/** Runs under the lease of the poll job, which releases it afterwards. */
export async function resumeScaSession(context: Context, kind: ScaSubject, session: ScaSession): Promise<void> {
  if (session.status === 'ended') {
    await findLateSignature(context, kind, session)
    return
  }
  const { at, session: now } = await refreshScaSession(context, kind, session)
  const step = currentScaStep(now)
  const isToRenew = at === 'expired' && step?.state === 'open'
  // The partner shows the next code as soon as it exists.
  const isToBegin = at === 'next' && step?.state === 'pending' && now.shownBy === 'partner'
  if (isToRenew || isToBegin) {
    await startAuthorisationUnderLease(context, kind, now, { step, psu: null })
    await scheduleNextPoll(context, session)
  }
}

async function scheduleNextPoll({ clock, database }: Context, session: ScaSession): Promise<void> {
  const at = clock.now()
  await recordScaSessionPolled(database, session, { at, dueAt: at.add(READ_AFTER) })
}
