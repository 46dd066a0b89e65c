/** Control API for authorisations: list them, and simulate the user without a browser. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { ControlError, onPost, requireFound } from '../../control-scope.ts'
import { findRow } from '../../rows.ts'
import { expireUnscannedAuthorisation } from '../authorisations/app-authorisations.ts'
import { type Authorisation, type Decision, isEnded, isUnconfirmed } from '../authorisations/authorisation.ts'
import { latestAuthorisations } from '../authorisations/authorisation-store.ts'
import { decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { identifySigner, openAuthorisation, possibleSigners } from '../authorisations/identify-signer.ts'
import { readAuthorisationWithTarget } from '../authorisations/lock-authorisation.ts'
import type { Context } from '../context.ts'

/** More authorisations than any test creates. */
const LISTED_MAX = 1_000
const Signer = Type.Union([Type.Object({ userId: Type.Optional(Type.String()) }), Type.Null()])
const Wanted = closed({
  bank: Type.Optional(Type.String()),
  /** Id of a payment, consent or basket. */
  resource: Type.Optional(Type.String({ format: 'uuid' })),
  /** Only those that have not ended. */
  open: Type.Optional(Type.Literal('true')),
})
type Wanted = Static<typeof Wanted>
type Id = { readonly id: string }

/** Decisions of the control API, and the corresponding form values. */
export const decisions = { sign: 'approve', reject: 'reject', leave: 'cancel' } as const satisfies Record<
  string,
  Decision
>

export function authorisationControl(context: Context, scope: FastifyInstance): void {
  scope.get<{ Querystring: Wanted }>(
    '/authorisations',
    { schema: { querystring: Wanted } },
    async ({ query }) => await listAuthorisations(context, query),
  )
  for (const [word, decision] of Object.entries(decisions)) {
    onPost(scope, `/authorisations/:id/${word}`, Signer, async (body, { id }) => {
      const found = await requireAuthorisation(context, id)
      return { redirect: await simulateSigner(context, found, { decision, userId: body?.userId }) }
    })
  }
  for (const word of ['open', 'scan']) {
    scope.post<{ Params: Id }>(`/authorisations/:id/${word}`, async ({ params }) => {
      await openAuthorisation(context, await requireAuthorisation(context, params.id))
      return {}
    })
  }
  scope.post<{ Params: Id }>('/authorisations/:id/expire', async ({ params }) => {
    if (!(await expireUnscannedAuthorisation(context, await requireAuthorisation(context, params.id)))) {
      throw new ControlError(409, 'There is no unscanned code')
    }
    return {}
  })
}

/** Oldest first. */
async function listAuthorisations(context: Context, { open, resource, ...bank }: Wanted): Promise<readonly object[]> {
  const filter = resource === undefined ? bank : { ...bank, resource_id: resource }
  const found = await latestAuthorisations(context, filter, { onlyOpen: open === 'true', limit: LISTED_MAX })
  return found.toReversed().map(describe)
}

function describe(authorisation: Authorisation): object {
  const { id, bank, subject, resource_id, approach, sca_status, outcome, psu_id, signer_id } = authorisation
  return {
    authorisationId: id,
    bank,
    kind: subject,
    resourceId: resource_id,
    approach,
    scaStatus: sca_status,
    outcome,
    isOpen: !isEnded(authorisation),
    psuId: psu_id,
    signerId: signer_id,
    createdAt: authorisation.created_at.toString(),
    /** Business time. */
    dueAt: authorisation.due_at?.toString() ?? null,
    /** Wall time until which an unscanned code is valid. */
    codeExpiresAt: authorisation.code_expires_at?.toString() ?? null,
  }
}

async function requireAuthorisation(context: Context, id: string): Promise<Authorisation> {
  return requireFound(await findRow(context, 'authorisations', { id }), 'The bank knows no such authorisation')
}

/** The decision and the user; by default the one named by the third party, else the first who may authorise. */
type SignerAction = { readonly decision: Decision; readonly userId: string | undefined }

/** Returns the redirect of the browser, null where there is none. */
export async function simulateSigner(
  context: Context,
  found: Authorisation,
  { decision, userId }: SignerAction,
): Promise<string | null> {
  requireOpen(found)
  await openAuthorisation(context, found)
  requireOpen(await reloadAuthorisation(context, found))
  const signer = userId ?? (await defaultSigner(context, found))
  const rejectedBecause = await identifySigner(context, found, signer)
  if (rejectedBecause !== null && (decision === 'approve' || userId !== undefined)) {
    throw new ControlError(403, rejectedBecause)
  }
  const decided = await decideAuthorisation(context, found, {
    decision,
    signer: rejectedBecause === null ? signer : undefined,
  })
  if ('rejectedBecause' in decided) {
    throw new ControlError(409, decided.rejectedBecause)
  }
  const ended = await reloadAuthorisation(context, found)
  if (decision === 'approve' && ended.outcome !== 'approved' && !isUnconfirmed(ended)) {
    throw over(ended)
  }
  return decided.redirect
}

/** Rejects an authorisation that has ended, or that is completed neither on the bank's pages nor in an app. */
function requireOpen(authorisation: Authorisation): void {
  if (isEnded(authorisation)) {
    throw over(authorisation)
  }
  if (isUnconfirmed(authorisation)) {
    throw new ControlError(409, 'The user has signed; the third party must submit the confirmation code')
  }
  if (authorisation.approach === 'embedded') {
    throw new ControlError(
      409,
      "The bank requires the user's password from the third party; there is no page to sign on",
    )
  }
}

async function reloadAuthorisation(context: Context, { id }: Authorisation): Promise<Authorisation> {
  return requireFound(
    await findRow(context, 'authorisations', { id }),
    'The bank no longer has the resource of this authorisation',
  )
}

function over({ outcome, psu_message: text }: Authorisation): ControlError {
  return new ControlError(409, `The authorisation has ended (${outcome}): ${text}`)
}

async function defaultSigner(context: Context, found: Authorisation): Promise<string> {
  const locked = await readAuthorisationWithTarget(context, found)
  const [first] = locked === undefined ? [] : possibleSigners(context, locked)
  return first?.id ?? ''
}
