/** Takes a browser in at the authorisation server: keeps what is asked for, and says where the browser goes on. */
import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import { type Authorisation, isEnded } from '../authorisations/authorisation.ts'
import { lockAuthorisation, updateAuthorisation } from '../authorisations/authorisation-store.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { decisionOf } from '../outcomes/scripted-user-lookup.ts'
import { answerGrant, denyGrant } from './complete-grant.ts'
import { insertRequest, newestAuthorisation, redirectOfAuthorisation } from './oauth-store.ts'
import { type AskedGrant, type Asker, type RawQuery, readAskedGrant, readAsker } from './parse-authorisation-request.ts'
import { printScope } from './scope.ts'

/** Where the browser goes, or what is told to the user because nobody can be answered. */
export type Begun = { readonly redirect: string } | { readonly problem: string }

/** Begins it. */
export async function beginGrant(context: BankContext, bank: BankProfile, query: RawQuery): Promise<Begun> {
  const asker = readAsker(query)
  if ('problem' in asker) {
    return asker
  }
  const asked = readAskedGrant(bank, query, asker)
  if ('redirect' in asked) {
    // Where signing is a grant, only addresses that an authorisation was begun with are known to be the third party's.
    return bank.oauth === 'integrated' ? { problem: problemIn(asked.redirect) } : asked
  }
  return asked.scope.type === 'resource'
    ? await beginSigning(context, bank, asker, { ...asked, resourceId: asked.scope.id })
    : await beginLogin(context, bank, asker, asked)
}

/** Sends the browser to the bank's signing page, and from there back here. */
async function beginSigning(
  context: BankContext,
  bank: BankProfile,
  asker: Asker,
  asked: AskedGrant & { readonly resourceId: string },
): Promise<Begun> {
  const { pagesUrl } = context.addresses
  const begun = await context.database.query.transaction().execute(async (transaction) => {
    const found = await newestAuthorisation(transaction, bank.bic, asked.resourceId)
    const authorisation = found && (await lockAuthorisation(transaction, found.id))
    if (authorisation === undefined) {
      return { problem: 'There is nothing to sign here.' }
    }
    if ((await redirectOfAuthorisation(transaction, authorisation)) !== asker.redirectUri) {
      return { problem: 'The app wants to go on to an address that it did not name before (redirect_uri).' }
    }
    const kept = await keepRequest(context, transaction, { bank, asker, asked, authorisation })
    if (isEnded(authorisation)) {
      return { ended: kept }
    }
    const token = newToken()
    const back = requestAddress(context, bank, kept)
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
  return (await answerGrant(context, bank, id, token)) ?? { problem: 'There is nothing to sign here.' }
}

/** Sends the browser to the page where somebody logs in; scripted users do so by themselves. */
async function beginLogin(context: BankContext, bank: BankProfile, asker: Asker, asked: AskedGrant): Promise<Begun> {
  const kept = await keepRequest(context, context.database.query, { bank, asker, asked, authorisation: null })
  const decision = decisionOf(asked.loginHint, 'consent')
  if (decision === 'forget' || asked.loginHint === null) {
    return { redirect: requestAddress(context, bank, kept) }
  }
  const answered =
    decision === 'approve'
      ? await answerGrant(context, bank, kept.id, kept.token, asked.loginHint)
      : await denyGrant(context, bank, kept.id, kept.token)
  return answered ?? { redirect: requestAddress(context, bank, kept) }
}

type Kept = { readonly id: string; readonly token: string }

async function keepRequest(
  context: BankContext,
  queries: Pick<BankTransaction, 'insertInto' | 'selectFrom' | 'updateTable' | 'deleteFrom'>,
  request: {
    readonly bank: BankProfile
    readonly asker: Asker
    readonly asked: AskedGrant
    readonly authorisation: Authorisation | null
  },
): Promise<Kept> {
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

/** The address of a request at the bank; the browser comes there when its user has decided. */
function requestAddress({ addresses }: BankContext, { basePath }: BankProfile, { id, token }: Kept): string {
  return `${addresses.pagesUrl}/oauth/${basePath}/requests/${id}/${token}`
}

/** The words of an error that is not sent anywhere. */
function problemIn(redirect: string): string {
  return `${new URL(redirect).searchParams.get('error_description') ?? 'The app asked for nothing that the bank gives'}.`
}
