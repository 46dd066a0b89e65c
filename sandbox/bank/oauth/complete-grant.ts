/** Answers what was asked of the authorisation server: with a code once its user has agreed, or with a no. */
import { hashToken, newToken } from '../../../gateway/platform/ids.ts'
import { isEnded } from '../authorisations/authorisation.ts'
import { authorisationById } from '../authorisations/authorisation-store.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { isCustomer } from '../world.ts'
import { CODE_SECONDS, carriedAnswer, carriedError, type GrantRequest, LOGIN_MINUTES } from './grant-request.ts'
import { lockRequest, updateRequest } from './oauth-store.ts'

/** Where the browser goes; null while somebody has to decide first, or why not. */
export type Answered = { readonly redirect: string } | { readonly problem: string } | null

/** Answers a request whose user has signed, or who logs in as `userId`; null when nobody has yet. */
export async function answerGrant(
  context: BankContext,
  bank: BankProfile,
  id: string,
  token: string,
  userId: string | null = null,
): Promise<Answered> {
  return await context.database.query.transaction().execute(async (transaction) => {
    const request = await requestOf(transaction, bank, id, token)
    if (request === undefined || request.grant_id !== null) {
      return { problem: 'This was answered before. Go back to the app and start again.' }
    }
    if (request.outcome === 'denied') {
      return { redirect: carriedError(request, 'access_denied', 'The user said no') }
    }
    const agreed = await whoAgreed(context, transaction, request, userId)
    if (agreed === null || 'problem' in agreed) {
      return agreed
    }
    return agreed.userId === null
      ? await deny(transaction, request, agreed.text)
      : await grant(context, transaction, request, agreed.userId)
  })
}

/** Answers a request with the user's no. */
export async function denyGrant(context: BankContext, bank: BankProfile, id: string, token: string): Promise<Answered> {
  return await context.database.query.transaction().execute(async (transaction) => {
    const request = await requestOf(transaction, bank, id, token)
    if (request === undefined || request.outcome === 'granted') {
      return { problem: 'This was answered before. Go back to the app and start again.' }
    }
    return await deny(transaction, request, 'The user said no')
  })
}

/** Whether a request still waits for somebody to log in; its hint goes with it. */
export async function waitingLogin(
  context: BankContext,
  bank: BankProfile,
  id: string,
  token: string,
): Promise<GrantRequest | undefined> {
  const request = await context.database.query
    .transaction()
    .execute(async (transaction) => await requestOf(transaction, bank, id, token))
  return request?.authorisation_id === null && request.outcome === null ? request : undefined
}

async function requestOf(
  transaction: BankTransaction,
  bank: BankProfile,
  id: string,
  token: string,
): Promise<GrantRequest | undefined> {
  const request = await lockRequest(transaction, id, token)
  return request?.bank === bank.bic ? request : undefined
}

type Agreed = { readonly userId: string } | { readonly userId: null; readonly text: string }

/** The user who agreed, or that the user did not; null while that is open. */
async function whoAgreed(
  context: BankContext,
  transaction: BankTransaction,
  request: GrantRequest,
  userId: string | null,
): Promise<Agreed | { readonly problem: string } | null> {
  if (request.authorisation_id !== null) {
    const signing = await authorisationById(transaction, request.authorisation_id)
    if (signing !== undefined && !isEnded(signing)) {
      return null
    }
    return signing?.outcome === 'approved' && signing.signer_id !== null
      ? { userId: signing.signer_id }
      : { userId: null, text: signing?.psu_message ?? 'The bank no longer holds this' }
  }
  const isLate = Temporal.Instant.compare(context.clock.real(), request.created_at.add({ minutes: LOGIN_MINUTES })) >= 0
  if (isLate) {
    return { userId: null, text: 'The time for logging in is over' }
  }
  const knownId = userId ?? request.user_id
  if (knownId === null) {
    return null
  }
  return isCustomer(context.world, request.bank, knownId)
    ? { userId: knownId }
    : { problem: 'The bank knows nobody by this id.' }
}

/** Makes a code; one that was made before and not used is good no more. */
async function grant(
  context: BankContext,
  transaction: BankTransaction,
  request: GrantRequest,
  userId: string,
): Promise<Answered> {
  const code = newToken()
  await updateRequest(transaction, request.id, {
    outcome: 'granted',
    user_id: userId,
    code_hash: hashToken(code),
    code_expires_at: context.clock.real().add({ seconds: CODE_SECONDS }).toString(),
  })
  return { redirect: carriedAnswer(request, { code }) }
}

async function deny(transaction: BankTransaction, request: GrantRequest, text: string): Promise<Answered> {
  await updateRequest(transaction, request.id, { outcome: 'denied' })
  return { redirect: carriedError(request, 'access_denied', text) }
}
