/** Starts a grant at the authorisation server: stores the request and redirects the browser. */
import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import { type Authorisation, isEnded } from '../authorisations/authorisation.ts'
import { lockAuthorisation, updateAuthorisation } from '../authorisations/authorisation-store.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { scriptedDecisionOf } from '../outcomes/scripted-user-lookup.ts'
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

export async function startGrant(context: BankContext, bank: BankProfile, query: RawQuery): Promise<StartGrantResult> {
  const asker = parseGrantClient(query)
  if ('validationError' in asker) {
    return asker
  }
  const asked = parseRequestedGrant(bank, query, asker)
  if ('redirect' in asked) {
    // Where the SCA is a grant, only redirect URLs of existing authorisations are known to be the third party's.
    return bank.oauth === 'integrated' ? { validationError: errorInRedirect(asked.redirect) } : asked
  }
  return asked.scope.type === 'resource'
    ? await startScaGrant(context, bank, asker, { ...asked, resourceId: asked.scope.id })
    : await startLoginGrant(context, bank, asker, asked)
}

/** Redirects the browser to the bank's SCA page, and from there back here. */
async function startScaGrant(
  context: BankContext,
  bank: BankProfile,
  asker: GrantClient,
  asked: RequestedGrant & { readonly resourceId: string },
): Promise<StartGrantResult> {
  const { pagesUrl } = context.addresses
  const begun = await context.database.query.transaction().execute(async (transaction) => {
    const found = await newestAuthorisation(transaction, bank.bic, asked.resourceId)
    const authorisation = found && (await lockAuthorisation(transaction, found.id))
    if (authorisation === undefined) {
      return { validationError: 'There is nothing to sign here.' }
    }
    if ((await redirectOfAuthorisation(transaction, authorisation)) !== asker.redirectUri) {
      return { validationError: 'The app wants to go on to an address that it did not name before (redirect_uri).' }
    }
    const kept = await storeGrantRequest(context, transaction, { bank, asker, asked, authorisation })
    if (isEnded(authorisation)) {
      return { ended: kept }
    }
    const token = newToken()
    const back = grantRequestUrl(context, bank, kept)
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
  context: BankContext,
  bank: BankProfile,
  asker: GrantClient,
  asked: RequestedGrant,
): Promise<StartGrantResult> {
  const kept = await storeGrantRequest(context, context.database.query, { bank, asker, asked, authorisation: null })
  const decision = scriptedDecisionOf(asked.loginHint, 'consent')
  if (decision === 'forget' || asked.loginHint === null) {
    return { redirect: grantRequestUrl(context, bank, kept) }
  }
  const answered =
    decision === 'approve'
      ? await completeGrant(context, bank, kept.id, kept.token, asked.loginHint)
      : await denyGrant(context, bank, kept.id, kept.token)
  return answered ?? { redirect: grantRequestUrl(context, bank, kept) }
}

type StoredRequest = { readonly id: string; readonly token: string }

async function storeGrantRequest(
  context: BankContext,
  queries: Pick<BankTransaction, 'insertInto' | 'selectFrom' | 'updateTable' | 'deleteFrom'>,
  request: {
    readonly bank: BankProfile
    readonly asker: GrantClient
    readonly asked: RequestedGrant
    readonly authorisation: Authorisation | null
  },
): Promise<StoredRequest> {
  const { bank, asker, asked, authorisation } = request
  const [id, token] = [newId(), newToken()]
  await insertRequest(queries, {
    id,
    bank: bank.bic,
    link_hash: hashToken(token),
    client_id: asker.clientId,
    redirect_uri: asker.redirectUri,
    state: asker.state,
    scope: printScope(asked.scope),
    code_challenge: asked.challenge,
    login_hint: asked.loginHint,
    authorisation_id: authorisation?.id ?? null,
    created_at: context.clock.real().toString(),
  })
  return { id, token }
}

/** The URL of a request at the bank, to which the browser returns after the user's decision. */
function grantRequestUrl({ addresses }: BankContext, { basePath }: BankProfile, { id, token }: StoredRequest): string {
  return `${addresses.pagesUrl}/oauth/${basePath}/requests/${id}/${token}`
}

/** The error message of a redirect, as shown to the user instead of being sent. */
function errorInRedirect(redirect: string): string {
  return `${new URL(redirect).searchParams.get('error_description') ?? 'The app asked for nothing that the bank gives'}.`
}
