/** Serves signing in with a passkey, and invitations, by which a user creates the first one. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../gateway/context.ts'
import { type Form, parseFormFields } from '../../../gateway/platform/http/pages/form.ts'
import { hasValidFormToken } from '../../../gateway/platform/http/pages/form-token.ts'
import { hashToken } from '../../../gateway/platform/ids.ts'
import { sendAnswer } from '../../layout/console-page.ts'
import { staleFormPage } from '../../layout/error-pages.ts'
import { ensureSessionToken, readSessionToken } from '../../sessions/session-cookie.ts'
import { acceptInvitation, findInvitation } from '../../users/accept-invitation.ts'
import { findPasskey, recordPasskeyUse } from '../../users/passkey-store.ts'
import { consoleUserOf, type UserAccount } from '../../users/user-account.ts'
import { findActiveUser } from '../../users/user-store.ts'
import { completeSignIn } from '../complete-sign-in.ts'
import { storePendingSignIn, usePendingSignIn } from '../pending-sign-in.ts'
import type { SignInTarget } from '../sign-in-page.ts'
import { START } from '../sign-in-target.ts'
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
/** What a challenge was made for, so that an answer to one is none to the other. */
type Purpose = { readonly invitation: string | null }

export function servePasskeySignIn(server: FastifyInstance, context: Context): void {
  server.get(PASSKEY_PATH, async (request, reply) => await sendPasskeyPage(context, { request, reply }, START))
  server.post(PASSKEY_PATH, async (request, reply) => await signIn(context, { request, reply }))
  server.get<{ Params: { token: string } }>(INVITATION_PATH, async (request, reply) =>
    showInvitation(context, { request, reply }, request.params.token),
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
  const secret: Purpose = { invitation: null }
  await storePendingSignIn(context, { state: options.challenge, token }, { secret, target })
  return sendAnswer(exchange.reply, passkeySignInPage(options, token, target), undefined)
}

async function signIn(context: Context, { request, reply }: Exchange): Promise<FastifyReply> {
  const form = parseFormFields(request.body)
  const pending = await pendingOf(context, request, form)
  if (pending === 'stale') {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const user = pending?.secret.invitation === null ? await provenUser(context, form) : undefined
  return user === undefined || pending === undefined
    ? sendAnswer(reply, passkeyProblemPage('notProven'), undefined)
    : await completeSignIn(context, { request, reply }, consoleUserOf(user), pending.target)
}

/** Whose passkey signed the challenge. */
async function provenUser(context: Context, form: Form): Promise<UserAccount | undefined> {
  const answer = form.text('answer')
  const passkey = await findPasskey(context.database, credentialIdOf(answer) ?? '')
  const signatureCount = passkey && (await verifyAuthentication(context, form.text('challenge'), answer, passkey))
  if (passkey === undefined || signatureCount === undefined) {
    return undefined
  }
  const { credentialId, userId } = passkey
  await recordPasskeyUse(context.database, { credentialId, signatureCount, at: context.clock.real() })
  return await findActiveUser(context.database, userId)
}

/** Opening the link uses nothing up: programs that preview links open it, too. */
async function showInvitation(context: Context, { request, reply }: Exchange, link: string): Promise<FastifyReply> {
  const user = await findInvitation(context, link)
  if (user === undefined) {
    return sendAnswer(reply, passkeyProblemPage('invitationOver'), undefined)
  }
  const token = ensureSessionToken(context, request, reply)
  const options = await registrationOptions(context, user)
  const secret: Purpose = { invitation: hashToken(link) }
  await storePendingSignIn(context, { state: options.challenge, token }, { secret, target: START })
  const path = INVITATION_PATH.replace(':token', encodeURIComponent(link))
  return sendAnswer(reply, invitationPage(user, options, { token, path }), undefined)
}

async function registerPasskey(context: Context, { request, reply }: Exchange, link: string): Promise<FastifyReply> {
  const form = parseFormFields(request.body)
  const pending = await pendingOf(context, request, form)
  if (pending === 'stale') {
    return sendAnswer(reply, staleFormPage(), undefined)
  }
  const isAsked = pending?.secret.invitation === hashToken(link)
  const passkey = isAsked ? await verifyRegistration(context, form.text('challenge'), form.text('answer')) : undefined
  if (passkey === undefined) {
    return sendAnswer(reply, passkeyProblemPage('notProven'), undefined)
  }
  const user = await acceptInvitation(context, link, passkey)
  return user === undefined
    ? sendAnswer(reply, passkeyProblemPage('invitationOver'), undefined)
    : await completeSignIn(context, { request, reply }, consoleUserOf(user), START)
}

/** The challenge of this browser, which is used up now; undefined for a foreign or an old one. */
async function pendingOf(context: Context, request: FastifyRequest, form: Form) {
  const token = readSessionToken(context, request)
  if (token === undefined || !hasValidFormToken(form.text, token)) {
    return 'stale'
  }
  return await usePendingSignIn<Purpose>(context, { state: form.text('challenge'), token })
}
