/** Starts a grant at the authorisation server: parses and stores the request of a third party, and redirects the browser. */

import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import { findRow, insertRow, updateRow } from '../../rows.ts'
import { type Authorisation, isEnded } from '../authorisations/authorisation.ts'
import { scriptedDecisionOf } from '../authorisations/scripted-user-lookup.ts'
import { type Context, inTransaction } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { completeGrant, denyGrant } from './complete-grant.ts'
import {
  type GrantLink,
  newestAuthorisation,
  type RedirectError,
  redirectOfAuthorisation,
  redirectWithError,
} from './oauth-store.ts'
import { parseScope, printScope, type Scope } from './scope.ts'

/** The redirect, or the message for the user when no redirect is possible. */
type StartGrantResult = { readonly redirect: string } | { readonly validationError: string }

export async function startGrant(context: Context, bank: BankProfile, query: RawQuery): Promise<StartGrantResult> {
  const asker = parseGrantClient(query)
  if ('validationError' in asker) {
    return asker
  }
  const requested = parseRequestedGrant(bank, query, asker)
  if ('redirect' in requested) {
    // Where the SCA is a grant, only redirect URLs of existing authorisations are known to be the third party's.
    return bank.oauth === 'integrated' ? { validationError: errorInRedirect(requested.redirect) } : requested
  }
  return requested.scope.type === 'resource'
    ? await startScaGrant(context, bank, asker, { ...requested, resourceId: requested.scope.id })
    : await startLoginGrant(context, bank, asker, requested)
}

/** Redirects the browser to the bank's SCA page, and from there back here. */
async function startScaGrant(
  context: Context,
  bank: BankProfile,
  asker: GrantClient,
  requested: RequestedGrant & { readonly resourceId: string },
): Promise<StartGrantResult> {
  const { pagesUrl } = context.addresses
  const begun = await inTransaction(context, async (context) => {
    const found = await newestAuthorisation(context, bank.bic, requested.resourceId)
    const authorisation = found && (await findRow(context, 'authorisations', { id: found.id }, { lock: true }))
    if (authorisation === undefined) {
      return { validationError: 'There is nothing to sign here.' }
    }
    if ((await redirectOfAuthorisation(context, authorisation)) !== asker.redirectUri) {
      return { validationError: 'The app sent another redirect URI than before (redirect_uri).' }
    }
    const stored = await storeGrantRequest(context, { bank, asker, requested, authorisation })
    if (isEnded(authorisation)) {
      return { ended: stored }
    }
    const token = newToken()
    const back = grantRequestUrl(context, bank, stored)
    await updateRow(context, 'authorisations', authorisation, {
      token_hash: hashToken(token),
      redirect_uri: back,
      nok_redirect_uri: back,
    })
    return { redirect: `${pagesUrl}/sca/${authorisation.id}/${token}` }
  })
  if (!('ended' in begun)) {
    return begun
  }
  return (await completeGrant(context, begun.ended)) ?? { validationError: 'There is nothing to sign here.' }
}

/** Redirects the browser to the login page; scripted users log in without it. */
async function startLoginGrant(
  context: Context,
  bank: BankProfile,
  asker: GrantClient,
  requested: RequestedGrant,
): Promise<StartGrantResult> {
  const stored = await storeGrantRequest(context, {
    bank,
    asker,
    requested,
    authorisation: null,
  })
  const decision = scriptedDecisionOf(requested.loginHint, 'consent')
  if (decision === 'forget' || requested.loginHint === null) {
    return { redirect: grantRequestUrl(context, bank, stored) }
  }
  const answered =
    decision === 'approve'
      ? await completeGrant(context, stored, requested.loginHint)
      : await denyGrant(context, stored)
  return answered ?? { redirect: grantRequestUrl(context, bank, stored) }
}

async function storeGrantRequest(
  context: Context,
  request: {
    readonly bank: BankProfile
    readonly asker: GrantClient
    readonly requested: RequestedGrant
    readonly authorisation: Authorisation | null
  },
): Promise<GrantLink> {
  const { bank, asker, requested, authorisation } = request
  const [id, token] = [newId(), newToken()]
  await insertRow(context, 'oauth_requests', {
    id,
    bank: bank.bic,
    link_hash: hashToken(token),
    client_id: asker.clientId,
    redirect_uri: asker.redirectUri,
    state: asker.state,
    scope: printScope(requested.scope),
    code_challenge: requested.challenge,
    login_hint: requested.loginHint,
    authorisation_id: authorisation?.id ?? null,
    created_at: context.clock.real().toString(),
  })
  return { bank: bank.bic, id, token }
}

/** The URL of a request at the bank, to which the browser returns after the user's decision. */
function grantRequestUrl({ addresses }: Context, { basePath }: BankProfile, { id, token }: GrantLink): string {
  return `${addresses.pagesUrl}/oauth/${basePath}/requests/${id}/${token}`
}

/** The error message of a redirect, as shown to the user instead of being sent. */
function errorInRedirect(redirect: string): string {
  return `${new URL(redirect).searchParams.get('error_description') ?? 'The app requested nothing that the bank offers'}.`
}

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>

/** The client and its redirect URI; without these the browser cannot be redirected. */
type GrantClient = { readonly clientId: string; readonly redirectUri: string; readonly state: string | null }

type RequestedGrant = { readonly scope: Scope; readonly challenge: string; readonly loginHint: string | null }

const CLIENT_ID_MAX = 100
const ADDRESS_MAX = 2_000
const STATE_MAX = 1_000
const LOGIN_HINT_MAX = 50
/** SHA-256 in base64url (RFC 7636, 4.2). */
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** Parses the client, or returns a message for the user when no redirect is possible. */
function parseGrantClient(query: RawQuery): GrantClient | { readonly validationError: string } {
  const [clientId, redirectUri, state] = ['client_id', 'redirect_uri', 'state'].map((name) => one(query, name))
  if (clientId === undefined || clientId === '' || clientId.length > CLIENT_ID_MAX) {
    return { validationError: 'The app did not send its id (client_id).' }
  }
  if (redirectUri === undefined || !isRedirectUri(redirectUri)) {
    return { validationError: 'The app did not say where to go afterwards (redirect_uri).' }
  }
  if (Array.isArray(query['state']) || (state ?? '').length > STATE_MAX) {
    return { validationError: 'The app sent a parameter that is too long (state).' }
  }
  return { clientId, redirectUri, state: state ?? null }
}

/** Parses the requested grant, or returns the redirect with the error. */
function parseRequestedGrant(
  bank: BankProfile,
  query: RawQuery,
  asker: GrantClient,
): RequestedGrant | { readonly redirect: string } {
  const no = (error: RedirectError, text: string) => ({
    redirect: redirectWithError({ redirect_uri: asker.redirectUri, state: asker.state }, error, text),
  })
  if (one(query, 'response_type') !== 'code') {
    return no('unsupported_response_type', 'response_type must be code')
  }
  const challenge = one(query, 'code_challenge') ?? ''
  if (!CHALLENGE.test(challenge) || one(query, 'code_challenge_method') !== 'S256') {
    return no('invalid_request', 'code_challenge is required, with code_challenge_method S256')
  }
  const scope = parseScope(bank, one(query, 'scope') ?? '')
  if (scope === undefined) {
    return no(
      'invalid_scope',
      bank.oauth === 'integrated' ? 'scope must be PIS:<id> or AIS:<id>' : 'scope must be AIS PIS',
    )
  }
  const hint = one(query, 'login_hint') ?? ''
  return { scope, challenge, loginHint: hint === '' || hint.length > LOGIN_HINT_MAX ? null : hint }
}

/** A parameter that is present exactly once. */
function one(query: RawQuery, name: string): string | undefined {
  const value = query[name]
  return typeof value === 'string' ? value : undefined
}

function isRedirectUri(text: string): boolean {
  const url = text.length > ADDRESS_MAX ? null : URL.parse(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return url !== null && isWeb && !text.includes('#') && url.username === '' && url.password === ''
}
