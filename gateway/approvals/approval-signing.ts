/** Takes approvals through signing: begins and reads the authorisation of each step, and takes the outcome. */
import { BankRefusal } from '../banks/connector/bank-error.ts'
import { partiesOf } from '../consents/sca-parties.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { findOrdersOf } from '../orders/find-payments.ts'
import { followPayment } from '../payments/follow-payment.ts'
import { consentIdOf, type SigningBegun, type SigningKind } from '../signing/signing.ts'
import { type Approval, targetOf } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { endWithOutcome } from './complete-approval.ts'
import { recordLateSignature } from './record-late-signature.ts'
import { type StepTarget, stepTarget } from './sca-step-target.ts'

/** The sweep reads the others of a large basket. */
const READ_AT_ONCE_MAX = 10

/** How approvals take part in signing; one that is not kept yet is given. */
export function approvalSigning(unkept?: Approval): SigningKind {
  const find = async (context: Context, { partnerId, subjectId }: OfSigning) =>
    unkept ?? (await findApproval(context.database, { partnerId, id: subjectId }))
  const ask = async <Result>(
    context: Context,
    signing: OfSigning & { readonly targetId: string },
    verb: (target: StepTarget) => Promise<Result>,
  ): Promise<Result> => {
    const { targetId, partnerId } = signing
    const approval = await find(context, signing)
    if (approval === undefined) {
      throw new Error(`The approval ${signing.subjectId} of a signing is not there`)
    }
    const first = approval.payments.find((payment) => targetOf(payment) === targetId)
    const shown = { partnerId, consentId: consentIdOf(signing), ...(first && { paymentId: first.paymentId }) }
    const asked = withLiveTokens(context, shown, async () =>
      verb(await stepTarget(context, approval, signing, targetId)),
    )
    return await asked.catch(async (error: unknown) => {
      if (error instanceof BankRefusal && error.kind === 'expired-resource') {
        await readOrdersNow(context, approval, targetId)
      }
      throw error
    })
  }
  return {
    begin: async (context, signing, { targetId }, asked) =>
      await ask(context, { ...signing, targetId }, (target) => target.start(signing.psu, asked)),
    read: async (context, signing, { targetId, authorisationId }) =>
      await ask(context, { ...signing, targetId }, (target) => target.read(authorisationId)),
    complete: async (context, signing, { targetId, authorisationId }, brought) =>
      await ask(context, { ...signing, targetId }, (target) => target.complete(authorisationId, brought)),
    readForgotten: async (context, signing, { targetId }) =>
      await ask(context, { ...signing, targetId }, (target) => target.readForgotten()),
    ended: async (context, signing, outcome) => {
      const approval = await find(context, signing)
      return approval === undefined ? outcome : await endWithOutcome(context, approval, signing, outcome)
    },
    signedLate: async (context, signing, { targetId }) => {
      const approval = await find(context, signing)
      if (approval !== undefined) {
        await recordLateSignature(context, approval, targetId)
      }
    },
    summarise: partiesOf,
  }
}

/** What has expired at its bank ended there before: the order shows how. */
async function readOrdersNow(context: Context, { partnerId, payments }: Approval, targetId: string): Promise<void> {
  const ids = payments.filter((payment) => targetOf(payment) === targetId).map(({ paymentId }) => paymentId)
  for (const payment of (await findOrdersOf(context, partnerId, ids)).slice(0, READ_AT_ONCE_MAX)) {
    await followPayment(context, payment)
  }
}

type OfSigning = Pick<SigningBegun, 'partnerId' | 'consentId' | 'subjectId'>
