/** Control of authorisations: plays the user without a browser. */
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Authorisation } from '../authorisations/authorisation.ts'
import { authorisationById } from '../authorisations/authorisation-store.ts'
import { type Decision, decideAuthorisation } from '../authorisations/decide-authorisation.ts'
import { identifySigner, openAuthorisation, possibleSigners } from '../authorisations/identify-signer.ts'
import { lockWithTarget } from '../authorisations/target.ts'
import type { BankContext } from '../context.ts'
import { ControlRefusal } from './control-refusal.ts'

const Id = Type.Object({ id: Type.String() })
const Signer = Type.Union([Type.Object({ userId: Type.Optional(Type.String()) }), Type.Null()])

/** What tests say, and the button it stands for. */
const decisions = { sign: 'approve', reject: 'reject', leave: 'cancel' } as const satisfies Record<string, Decision>

export function authorisationControl(context: BankContext, scope: FastifyInstance): void {
  for (const [word, decision] of Object.entries(decisions)) {
    scope.post<{ Params: Static<typeof Id>; Body: Static<typeof Signer> | undefined }>(
      `/authorisations/:id/${word}`,
      async ({ params, body }) => ({ redirect: await play(context, params.id, decision, body?.userId) }),
    )
  }
  scope.post<{ Params: Static<typeof Id> }>('/authorisations/:id/open', async ({ params }) => {
    await openAuthorisation(context, await requireAuthorisation(context, params.id))
    return {}
  })
}

async function play(context: BankContext, id: string, decision: Decision, userId: string | undefined): Promise<string> {
  const found = await requireAuthorisation(context, id)
  await openAuthorisation(context, found)
  const signer = userId ?? (await defaultSigner(context, found))
  const { refusedBecause } = await identifySigner(context, found, signer)
  if (refusedBecause !== null && decision === 'approve') {
    throw new ControlRefusal(403, refusedBecause)
  }
  return await decideAuthorisation(context, found, decision)
}

async function requireAuthorisation(context: BankContext, id: string): Promise<Authorisation> {
  const found = await authorisationById(context.database.query, id)
  if (found === undefined) {
    throw new ControlRefusal(404, 'The bank knows no such authorisation')
  }
  return found
}

/** The user whom the third party named, else the first who may sign. */
async function defaultSigner(context: BankContext, found: Authorisation): Promise<string> {
  const locked = await context.database.query.transaction().execute((transaction) => lockWithTarget(transaction, found))
  const [first] = locked === undefined ? [] : possibleSigners(context, locked)
  return first?.id ?? ''
}
