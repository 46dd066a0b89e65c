/** Takes approvals through signing: begins and reads the authorisation of each step, and takes the outcome. */
import { partiesOf } from '../consents/parties-of.ts'
import { withLiveTokens } from '../consents/with-live-tokens.ts'
import type { Context } from '../context.ts'
import { consentIdOf, type SigningBegun, type SigningKind } from '../signing/signing.ts'
import { type Approval, targetOf } from './approval.ts'
import { findApproval } from './approval-store.ts'
import { endWithOutcome } from './end-approval.ts'
import { recordLateSignature } from './record-late-signature.ts'
import { type StepTarget, stepTarget } from './step-target.ts'

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
    return await withLiveTokens(context, shown, async () =>
      verb(await stepTarget(context, approval, signing, targetId)),
    )
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

type OfSigning = Pick<SigningBegun, 'partnerId' | 'consentId' | 'subjectId'>
