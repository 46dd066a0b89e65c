/** Serves signing in with a passkey, and invitations, by which a user creates the first one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../gateway/context.ts'
import { parseFormFields } from '../../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../../gateway/platform/http/pages/form-token.ts'
import { linkTokenOf } from '../../../gateway/platform/http/pages/opened-link.ts'
import { hashToken } from '../../../gateway/platform/ids.ts'
import type { ConsoleUser } from '../../access/console-session.ts'
import { sendAnswer } from '../../layout/console-page.ts'
import { staleFormPage } from '../../layout/error-pages.ts'
import { ensureSessionToken, readSessionToken } from '../../sessions/session-cookie.ts'
import { acceptInvitation, findInvitation } from '../../users/accept-invitation.ts'
import { findPasskey, recordPasskeyUse } from '../../users/passkey-store.ts'
import { consoleUserOf } from '../../users/user-account.ts'
import { findActiveUser } from '../../users/user-store.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import type { SignInTarget } from '../sign-in-page.ts'
import { START } from '../sign-in-target.ts'
import { type ChallengePurpose, storeChallenge, useChallenge } from './passkey-challenge.ts'
import {
  INVITATION_PATH,
  invitationPage,
  PASSKEY_PATH,
  passkeyProblemPage,
  passkeySignInPage,
} from './passkey-pages.ts'
import {
  authenticationOptions,
  credentialIdOf,
  registrationOptions,
  verifyAuthentication,
  verifyRegistration,
} from './verify-passkey.ts'

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }
export function servePasskeySignIn(server: FastifyInstance, context: Context): void {
  server.get(PASSKEY_PATH, async (request, reply) => await sendPasskeyPage(context, { request, reply }, START))
  server.post(PASSKEY_PATH, async (request, reply) => await signIn(context, { request, reply }))
  server.get<{ Params: { token: string } }>(INVITATION_PATH, async (request, reply) =>
    showInvitation(context, { request, reply }, linkTokenOf(request.params.token)),
  )
  server.post<{ Params: { token: string } }>(INVITATION_PATH, async (request, reply) =>
    registerPasskey(context, { request, reply }, request.params.token),
  )
}

/** The page to sign in with a passkey. */
export async function sendPasskeyPage(
  context: Context,
  exchange: Exchange,
  target: SignInTarget,
): Promise<FastifyReply> {
  const token = ensureSessionToken(context, exchange.request, exchange.reply)
  const options = await authenticationOptions(context)
  await storeChallenge(context, options, { token, purpose: 'sign-in', target })
  return sendAnswer(exchange.reply, passkeySignInPage(options, token, target), undefined)
}

async function signIn(context: Context, { request, reply }: Exchange): Promise<FastifyReply> {
  const form = parseFormFields(request.body)
  const token = readSessionToken(context, request)
  if (token === undefined || !hasValidFormToken(form.text, token)) {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const answered = await useChallenge(context, form, { token, purpose: 'sign-in' })
  const user = answered && (await provenUser(context, answered))
  return user === undefined || answered === undefined
    ? sendAnswer(reply, passkeyProblemPage('notProven'), undefined)
    : await completeSignIn(context, { request, reply }, user, answered.target)
}

/** Whose passkey signed the challenge. */
async function provenUser(
  context: Context,
  { challenge, answer }: { readonly challenge: string; readonly answer: string },
): Promise<ConsoleUser | undefined> {
  const passkey = await findPasskey(context.database, credentialIdOf(answer) ?? '')
  const signatureCount = passkey && (await verifyAuthentication(context, challenge, answer, passkey))
  if (passkey === undefined || signatureCount === undefined) {
    return undefined
  }
  const { credentialId, userId } = passkey
  await recordPasskeyUse(context.database, { credentialId, signatureCount, at: context.clock.real() })
  const user = await findActiveUser(context.database, userId)
  return user && consoleUserOf(user, credentialId)
}

/** Opening the link uses nothing up: programs that preview links open it, too. */
async function showInvitation(context: Context, { request, reply }: Exchange, link: string): Promise<FastifyReply> {
  const user = await findInvitation(context, link)
  if (user === undefined) {
    return sendAnswer(reply, passkeyProblemPage('invitationOver'), undefined)
  }
  const token = ensureSessionToken(context, request, reply)
  const options = await registrationOptions(context, user)
  await storeChallenge(context, options, { token, purpose: purposeOf(link) })
  const path = INVITATION_PATH.replace(':token', encodeURIComponent(link))
  return sendAnswer(reply, invitationPage(user, options, { token, path }), undefined)
}

async function registerPasskey(context: Context, { request, reply }: Exchange, link: string): Promise<FastifyReply> {
  const form = parseFormFields(request.body)
  const token = readSessionToken(context, request)
  if (token === undefined || !hasValidFormToken(form.text, token)) {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const answered = await useChallenge(context, form, { token, purpose: purposeOf(link) })
  const passkey = answered && (await verifyRegistration(context, answered))
  if (passkey === undefined) {
    return sendAnswer(reply, passkeyProblemPage('notProven'), undefined)
  }
  const user = await acceptInvitation(context, link, passkey)
  return user === undefined
    ? sendAnswer(reply, passkeyProblemPage('invitationOver'), undefined)
    : await completeSignIn(context, { request, reply }, consoleUserOf(user, passkey.credentialId), START)
}

function purposeOf(link: string): ChallengePurpose {
  return `invitation ${hashToken(link)}`
}
