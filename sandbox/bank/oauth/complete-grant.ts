/** Completes an authorisation request: with a code once the user has agreed, or with an error. */

import { hashToken, newToken } from '../../../gateway/platform/ids.ts'
import { findRow, updateRow } from '../../rows.ts'
import { isEnded } from '../authorisations/authorisation.ts'
import { type Context, inTransaction } from '../context.ts'
import { isCustomer } from '../fixture-lookup.ts'
import {
  CODE_SECONDS,
  type GrantLink,
  type GrantRequest,
  LOGIN_MINUTES,
  lockRequest,
  redirectWithAnswer,
  redirectWithError,
} from './oauth-store.ts'

/** The redirect of the browser; null while the decision is pending; or the error message. */
export type GrantResult = { readonly redirect: string } | { readonly validationError: string } | null

/** Completes a request whose user has authorised, or who logs in as `userId`; null while neither has happened. */
export async function completeGrant(
  context: Context,
  link: GrantLink,
  userId: string | null = null,
): Promise<GrantResult> {
  return await inTransaction(context, async (context) => {
    const request = await lockRequest(context, link)
    if (request === undefined || request.grant_id !== null) {
      return { validationError: 'This was answered before. Go back to the app and start again.' }
    }
    if (request.outcome === 'denied') {
      return { redirect: redirectWithError(request, 'access_denied', 'The user declined') }
    }
    const agreed = await resolveGrantUser(context, request, userId)
    if (agreed === null || 'validationError' in agreed) {
      return agreed
    }
    return agreed.userId === null
      ? await deny(context, request, agreed.text)
      : await grant(context, request, agreed.userId)
  })
}

/** Completes a request with `access_denied`. */
export async function denyGrant(context: Context, link: GrantLink): Promise<GrantResult> {
  return await inTransaction(context, async (context) => {
    const request = await lockRequest(context, link)
    if (request === undefined || request.outcome === 'granted') {
      return { validationError: 'This was answered before. Go back to the app and start again.' }
    }
    return await deny(context, request, 'The user declined')
  })
}

/** The request when it awaits a login; undefined otherwise. */
export async function findPendingLogin(context: Context, link: GrantLink): Promise<GrantRequest | undefined> {
  const request = await lockRequest(context, link)
  return request?.authorisation_id === null && request.outcome === null ? request : undefined
}

type GrantDecision = { readonly userId: string } | { readonly userId: null; readonly text: string }

/** The user who agreed, or the rejection; null while pending. */
async function resolveGrantUser(
  context: Context,
  request: GrantRequest,
  userId: string | null,
): Promise<GrantDecision | { readonly validationError: string } | null> {
  if (request.authorisation_id !== null) {
    const signing = await findRow(context, 'authorisations', request.authorisation_id)
    if (signing !== undefined && !isEnded(signing)) {
      return null
    }
    return signing?.outcome === 'approved' && signing.signer_id !== null
      ? { userId: signing.signer_id }
      : { userId: null, text: signing?.psu_message ?? 'The bank no longer holds this' }
  }
  const isLate = Temporal.Instant.compare(context.clock.real(), request.created_at.add({ minutes: LOGIN_MINUTES })) >= 0
  if (isLate) {
    return { userId: null, text: 'The time for the log-in is over' }
  }
  const knownId = userId ?? request.user_id
  if (knownId === null) {
    return null
  }
  return isCustomer(context.fixture, request.bank, knownId)
    ? { userId: knownId }
    : { validationError: 'The bank has no user with this id.' }
}

/** Issues a code; an earlier unused code becomes invalid. */
async function grant(context: Context, request: GrantRequest, userId: string): Promise<GrantResult> {
  const code = newToken()
  await updateRow(context, 'oauth_requests', request, {
    outcome: 'granted',
    user_id: userId,
    code_hash: hashToken(code),
    code_expires_at: context.clock.real().add({ seconds: CODE_SECONDS }).toString(),
  })
  return { redirect: redirectWithAnswer(request, { code }) }
}

async function deny(context: Context, request: GrantRequest, text: string): Promise<GrantResult> {
  await updateRow(context, 'oauth_requests', request, { outcome: 'denied' })
  return { redirect: redirectWithError(request, 'access_denied', text) }
}
