/** Starts an authorisation of a payment, a cancellation, a consent or a basket, for one user and a limited time. */

import { hashToken, newId, newToken } from '../../../gateway/platform/ids.ts'
import { insertRow } from '../../rows.ts'
import type { Context } from '../context.ts'
import type { Xs2aAnswer, Xs2aCall } from '../xs2a/xs2a-call.ts'
import { type Link, linkTo, selfLinks } from '../xs2a/xs2a-links.ts'
import { xs2aError } from '../xs2a-error.ts'
import { appResponseFields } from './app-authorisations.ts'
import { issueAppCode } from './app-code.ts'
import {
  type Approach,
  type Authorisation,
  isEnded,
  isInProgress,
  isUnconfirmed,
  type ScaSubject,
} from './authorisation.ts'
import { creationHeaders, linksOnCreation } from './authorisation-links.ts'
import { authorisationsOf } from './authorisation-store.ts'
import { endAuthorisation } from './end-authorisation.ts'
import { chooseCodeForm, chooseScaApproach, hasMethodsToChoose, isStartedImplicitly } from './sca-approach.ts'
import type { ScaResource } from './sca-target.ts'
import { decisionDueAt } from './scripted-user-lookup.ts'

/** What is authorised, and its path below `/v1`. */
type AuthorisationStart = { readonly subject: ScaSubject; readonly path: string; readonly resource: ScaResource }
type Call = Pick<Xs2aCall, 'bank' | 'headers'>

export type StartedAuthorisation = {
  readonly authorisation: Authorisation
  readonly links: Readonly<Record<string, Link>>
  /** Further response fields: the message for the user, and the code to scan. */
  readonly reported: object
}

/**
 * The caller holds the lock on the target. A user has one authorisation per target at a time, as at banks that run
 * adorsys' XS2A (its release notes 1.15): a newer one replaces the older. Another user's that is open in a browser
 * continues.
 */
export async function startAuthorisation(
  context: Context,
  call: Call,
  { subject, path: targetPath, resource: target }: AuthorisationStart,
): Promise<StartedAuthorisation> {
  const { bank, headers } = call
  const psuId = headers.psuId ?? target.psu_id
  const approach = chooseScaApproach(bank, headers, psuId)
  const back = {
    redirect_uri: headers.redirectUri ?? target.redirect_uri,
    nok_redirect_uri: headers.nokRedirectUri ?? target.nok_redirect_uri,
  }
  if (approach === 'redirect' && back.redirect_uri === null) {
    throw xs2aError(400, 'FORMAT_ERROR', 'This bank signs by redirect and needs TPP-Redirect-URI', 'TPP-Redirect-URI')
  }
  await endReplacedAuthorisations(context, subject, { ...target, psu_id: psuId })
  const token = newToken()
  const now = context.clock.now()
  const isToChoose = hasMethodsToChoose(approach, psuId)
  const decidedAt = approach === 'embedded' || isToChoose ? undefined : decisionDueAt(psuId, now)
  const dueAt = decidedAt ?? now.add({ minutes: bank.authorisationMinutes })
  const authorisation = await insertRow(context, 'authorisations', {
    id: newId(),
    bank: bank.bic,
    subject,
    resource_id: target.id,
    token_hash: hashToken(token),
    sca_status: isToChoose ? 'psuAuthenticated' : 'received',
    psu_id: psuId,
    ...(approach === 'redirect' ? back : {}),
    created_at: now.toString(),
    due_at: dueAt.toString(),
    ...(isToChoose ? { approach } : approachColumns(context, call, approach, token)),
  })
  const path = `${targetPath}/${collectionOf(subject)}/${authorisation.id}`
  const links = linksOnCreation(context, bank, { authorisation, path }, token)
  return { authorisation, links, reported: appResponseFields(context, bank, authorisation) }
}

/** Starts it with the creation of its target, unless the third party requests explicit start and the bank supports it. */
export async function startImplicitAuthorisation(
  context: Context,
  call: Call,
  start: AuthorisationStart,
): Promise<StartedAuthorisation | null> {
  return isStartedImplicitly(call.bank, call.headers) ? await startAuthorisation(context, call, start) : null
}

/** The response to the creation of what is to be authorised: its fields, and the next step unless there is none. */
export function creationAnswer(
  context: Context,
  call: Xs2aCall,
  path: string,
  created: { readonly body: object; readonly started: StartedAuthorisation | null; readonly isSigned?: boolean },
): Xs2aAnswer {
  const { body, started, isSigned = false } = created
  const start = { startAuthorisation: linkTo(context.addresses, call.bank, `${path}/authorisations`) }
  const next = started?.links ?? (isSigned ? {} : start)
  return {
    status: 201,
    headers: creationHeaders(context.addresses, call, path),
    body: {
      ...body,
      ...started?.reported,
      _links: { ...next, ...selfLinks(context.addresses, call.bank, path) },
    },
  }
}

/** The collection of the target that contains the authorisation. */
export function collectionOf(subject: ScaSubject): 'authorisations' | 'cancellation-authorisations' {
  return subject === 'cancellation' ? 'cancellation-authorisations' : 'authorisations'
}

/** The token is stored only where it is needed again: in a later read, or in the URL of an image. */
function approachColumns(context: Context, { bank, headers }: Call, approach: Approach, token: string) {
  const form = approach === 'app' ? chooseCodeForm(bank, headers) : null
  const isRequestedAgain = form === 'image-link' || (approach === 'redirect' && bank.signing.redirect === 'implicit')
  return {
    approach,
    ...(isRequestedAgain ? { link_token: token } : {}),
    ...(form === null ? {} : issueAppCode(context, form)),
  }
}

async function endReplacedAuthorisations(context: Context, subject: ScaSubject, target: ScaResource): Promise<void> {
  const now = context.clock.now()
  for (const older of await authorisationsOf(context, subject, target.id)) {
    const isOverdue = older.due_at !== null && Temporal.Instant.compare(older.due_at, now) <= 0
    if (isUnconfirmed(older) && !isOverdue) {
      throw xs2aError(409, 'STATUS_INVALID', 'The user has signed it, and its third party must confirm that')
    }
    const isOthers = isInProgress(older) && older.psu_id !== target.psu_id
    if (!isEnded(older) && (isOverdue || !isOthers)) {
      await endAuthorisation(context, older, target, isOverdue ? 'expired' : 'replaced')
    }
  }
}
