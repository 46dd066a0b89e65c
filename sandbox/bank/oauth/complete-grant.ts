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
    return request.authorisation_id === null
      ? await completeLogin(context, request, userId ?? request.user_id)
      : await completeAfterSca(context, request, request.authorisation_id)
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

async function completeAfterSca(
  context: Context,
  request: GrantRequest,
  authorisationId: string,
): Promise<GrantResult> {
  const signing = await findRow(context, 'authorisations', { id: authorisationId })
  if (signing !== undefined && !isEnded(signing)) {
    return null
  }
  return signing?.outcome === 'approved' && signing.signer_id !== null
    ? await grant(context, request, signing.signer_id)
    : await deny(context, request, signing?.psu_message ?? 'The bank no longer holds this')
}

async function completeLogin(context: Context, request: GrantRequest, userId: string | null): Promise<GrantResult> {
  const { fixture, clock } = context
  if (Temporal.Instant.compare(clock.real(), request.created_at.add({ minutes: LOGIN_MINUTES })) >= 0) {
    return await deny(context, request, 'The time for the log-in is over')
  }
  if (userId === null) {
    return null
  }
  return isCustomer(fixture, request.bank, userId)
    ? await grant(context, request, userId)
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
