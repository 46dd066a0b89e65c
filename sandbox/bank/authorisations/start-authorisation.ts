/** Begins an authorisation of a payment, a cancellation, a consent or a basket: for one user, for a limited time. */
import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import type { BankContext, BankTransaction } from '../bank-context.ts'
import type { BankProfile } from '../fixture.ts'
import { decidesAt } from '../outcomes/scripted-user-lookup.ts'
import type { Notice } from '../push-notifications.ts'
import { refuse } from '../refusal.ts'
import type { Xs2aHeaders } from '../xs2a/xs2a-call.ts'
import type { Link } from '../xs2a/xs2a-links.ts'
import { beginCode } from './app-code.ts'
import { toldOfApp } from './app-response-fields.ts'
import {
  type Approach,
  type Authorisation,
  isEnded,
  isUnconfirmed,
  isUnderWay,
  type ScaSubject,
} from './authorisation.ts'
import { linksAtStart } from './authorisation-links.ts'
import { authorisationsOf, insertAuthorisation } from './authorisation-store.ts'
import { endAuthorisation } from './end-authorisation.ts'
import { approachFor, codeFormFor } from './sca-approach.ts'

/** What is to be signed; payments, consents and baskets are that. */
export type ScaTarget = {
  readonly id: string
  readonly psu_id: string | null
  readonly redirect_uri: string | null
  readonly nok_redirect_uri: string | null
  readonly notification_uri: string | null
  readonly notification_content: string | null
}

/** Who asks to have it signed, and where the target is found below `/v1`. */
export type AskedAuthorisation = {
  readonly bank: BankProfile
  readonly subject: ScaSubject
  readonly headers: Xs2aHeaders
  readonly targetPath: string
}

export type StartedAuthorisation = {
  readonly authorisation: Authorisation
  readonly links: Readonly<Record<string, Link>>
  /** What else the answer says: to the user, and of the code to scan. */
  readonly told: object
  readonly notices: readonly Notice[]
}

/**
 * Begins it; the target is locked by the caller. A user has one authorisation of a thing at a time, as at the banks that
 * run adorsys' XS2A (its release notes 1.15): the newer one takes the place of the older. Another user's that is open in
 * a browser goes on beside it.
 */
export async function startAuthorisation(
  context: BankContext,
  transaction: BankTransaction,
  asked: AskedAuthorisation,
  target: ScaTarget,
): Promise<StartedAuthorisation> {
  const { bank, subject, headers, targetPath } = asked
  const psuId = headers.psuId ?? target.psu_id
  const approach = approachFor(bank, headers, psuId)
  const back = {
    redirect_uri: headers.redirectUri ?? target.redirect_uri,
    nok_redirect_uri: headers.nokRedirectUri ?? target.nok_redirect_uri,
  }
  if (approach === 'redirect' && back.redirect_uri === null) {
    throw refuse(400, 'FORMAT_ERROR', 'This bank signs by redirect and needs TPP-Redirect-URI', 'TPP-Redirect-URI')
  }
  const notices = await endReplaced(context, transaction, subject, { ...target, psu_id: psuId })
  const token = newToken()
  const now = context.clock.now()
  const decidedAt = approach === 'embedded' ? undefined : decidesAt(psuId, now)
  const dueAt = decidedAt ?? now.add({ minutes: bank.authorisationMinutes })
  const authorisation = await insertAuthorisation(transaction, {
    id: newId(),
    bank: bank.bic,
    subject,
    resource_id: target.id,
    token_hash: hashToken(token),
    sca_status: 'received',
    psu_id: psuId,
    ...(approach === 'redirect' ? back : {}),
    created_at: now.toString(),
    due_at: dueAt.toString(),
    ...wayColumns(context, asked, approach, token),
  })
  const path = `${targetPath}/${collectionOf(subject)}/${authorisation.id}`
  const links = linksAtStart(context, bank, { authorisation, path }, token)
  return { authorisation, notices, links, told: toldOfApp(context, bank, authorisation) }
}

/** Which collection of its target an authorisation is kept in. */
export function collectionOf(subject: ScaSubject): 'authorisations' | 'cancellation-authorisations' {
  return subject === 'cancellation' ? 'cancellation-authorisations' : 'authorisations'
}

/** The token is kept where it will be asked for again: in a later reading, or in the address of an image. */
function wayColumns(context: BankContext, { bank, headers }: AskedAuthorisation, approach: Approach, token: string) {
  const form = approach === 'app' ? codeFormFor(bank, headers) : null
  const isAskedAgain = form === 'image-link' || (approach === 'redirect' && bank.signing.redirect === 'implicit')
  return {
    approach,
    ...(isAskedAgain ? { link_token: token } : {}),
    ...(form === null ? {} : beginCode(context, form)),
  }
}

async function endReplaced(
  context: BankContext,
  transaction: BankTransaction,
  subject: ScaSubject,
  target: ScaTarget,
): Promise<readonly Notice[]> {
  const now = context.clock.now()
  const notices: Notice[] = []
  for (const older of await authorisationsOf(transaction, subject, target.id)) {
    const isOverdue = older.due_at !== null && Temporal.Instant.compare(older.due_at, now) <= 0
    if (isUnconfirmed(older) && !isOverdue) {
      throw refuse(409, 'STATUS_INVALID', 'The user has signed it, and its third party has yet to confirm that')
    }
    const isOthers = isUnderWay(older) && older.psu_id !== target.psu_id
    if (!isEnded(older) && (isOverdue || !isOthers)) {
      const outcome = isOverdue ? 'expired' : 'replaced'
      notices.push(...(await endAuthorisation(transaction, older, target, outcome)))
    }
  }
  return notices
}
