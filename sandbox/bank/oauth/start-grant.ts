/** Starts a grant at the authorisation server: stores the request and redirects the browser. */
import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import { type Authorisation, isEnded } from '../authorisations/authorisation.ts'
import { lockAuthorisation, updateAuthorisation } from '../authorisations/authorisation-store.ts'
import { scriptedDecisionOf } from '../authorisations/scripted-user-lookup.ts'
import type { BankTransaction, Context } from '../context.ts'
import type { BankProfile } from '../fixture.ts'
import { completeGrant, denyGrant } from './complete-grant.ts'
import { insertRequest, newestAuthorisation, redirectOfAuthorisation } from './oauth-store.ts'
import {
  type GrantClient,
  parseGrantClient,
  parseRequestedGrant,
  type RawQuery,
  type RequestedGrant,
} from './parse-authorisation-request.ts'
import { printScope } from './scope.ts'

/** The redirect, or the message for the user when no redirect is possible. */
export type StartGrantResult = { readonly redirect: string } | { readonly validationError: string }

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
  const begun = await context.database.query.transaction().execute(async (transaction) => {
    const found = await newestAuthorisation(transaction, bank.bic, requested.resourceId)
    const authorisation = found && (await lockAuthorisation(transaction, found.id))
    if (authorisation === undefined) {
      return { validationError: 'There is nothing to sign here.' }
    }
    if ((await redirectOfAuthorisation(transaction, authorisation)) !== asker.redirectUri) {
      return { validationError: 'The app sent another redirect URI than before (redirect_uri).' }
    }
    const stored = await storeGrantRequest(context, transaction, { bank, asker, requested, authorisation })
    if (isEnded(authorisation)) {
      return { ended: stored }
    }
    const token = newToken()
    const back = grantRequestUrl(context, bank, stored)
    await updateAuthorisation(transaction, authorisation.id, {
      token_hash: hashToken(token),
      redirect_uri: back,
      nok_redirect_uri: back,
    })
    return { redirect: `${pagesUrl}/sca/${authorisation.id}/${token}` }
  })
  if (!('ended' in begun)) {
    return begun
  }
  const { id, token } = begun.ended
  return (await completeGrant(context, bank, id, token)) ?? { validationError: 'There is nothing to sign here.' }
}

/** Redirects the browser to the login page; scripted users log in without it. */
async function startLoginGrant(
  context: Context,
  bank: BankProfile,
  asker: GrantClient,
  requested: RequestedGrant,
): Promise<StartGrantResult> {
  const stored = await storeGrantRequest(context, context.database.query, {
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
      ? await completeGrant(context, bank, stored.id, stored.token, requested.loginHint)
      : await denyGrant(context, bank, stored.id, stored.token)
  return answered ?? { redirect: grantRequestUrl(context, bank, stored) }
}

type StoredRequest = { readonly id: string; readonly token: string }

async function storeGrantRequest(
  context: Context,
  queries: Pick<BankTransaction, 'insertInto' | 'selectFrom' | 'updateTable' | 'deleteFrom'>,
  request: {
    readonly bank: BankProfile
    readonly asker: GrantClient
    readonly requested: RequestedGrant
    readonly authorisation: Authorisation | null
  },
): Promise<StoredRequest> {
  const { bank, asker, requested, authorisation } = request
  const [id, token] = [newId(), newToken()]
  await insertRequest(queries, {
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
  return { id, token }
}

/** The URL of a request at the bank, to which the browser returns after the user's decision. */
function grantRequestUrl({ addresses }: Context, { basePath }: BankProfile, { id, token }: StoredRequest): string {
  return `${addresses.pagesUrl}/oauth/${basePath}/requests/${id}/${token}`
}

/** The error message of a redirect, as shown to the user instead of being sent. */
function errorInRedirect(redirect: string): string {
  return `${new URL(redirect).searchParams.get('error_description') ?? 'The app requested nothing that the bank offers'}.`
}
